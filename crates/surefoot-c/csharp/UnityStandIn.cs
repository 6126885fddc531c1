// What UnityExample.cs uses of Unity, so that it can be compiled without. It is no part of a game.

namespace UnityEngine
{
    public class Object { public static GameObject Instantiate(GameObject original, Transform parent) { return original; } }
    public class Component : Object { public Transform transform { get { return null; } } }
    public class MonoBehaviour : Component { }
    public class GameObject : Object { public Transform transform { get { return null; } } }
    public class TextAsset : Object { public string text { get { return ""; } } }
    public class Transform : Component
    {
        public Vector3 localPosition { get; set; }
        public Vector3 InverseTransformPoint(Vector3 point) { return point; }
    }
    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator *(Vector3 a, float by) { return new Vector3(a.x * by, a.y * by, a.z * by); }
    }
    public struct Ray { public Vector3 origin, direction; }
    public class Camera : Component
    {
        public static Camera main { get { return null; } }
        public Ray ScreenPointToRay(Vector3 point) { return new Ray(); }
    }
    public static class Input
    {
        public static Vector3 mousePosition { get { return new Vector3(); } }
        public static bool GetMouseButtonDown(int button) { return button > 1; }
    }
    public static class Mathf
    {
        public static float Abs(float value) { return value < 0 ? -value : value; }
        public static int RoundToInt(float value) { return (int)System.Math.Round(value); }
    }
    public static class Debug { public static void LogWarning(object message) { } }
}
