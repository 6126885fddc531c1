// A component for Unity: units of a crowd walk on a grid on the ground, and go where the mouse clicks.
//
// Put this file, Surefoot.cs, Crowd.cs, Native.cs and the library below Assets (the library in Assets/Plugins), add the
// component to an empty object, and give it a prefab for units and a `.map` file as a TextAsset (name it `arena.map.txt`).

using System;
using Surefoot;
using UnityEngine;

public sealed class UnityExample : MonoBehaviour
{
    public TextAsset arena;
    public GameObject unitPrefab;
    public int unitCount = 200;
    public float cellSize = 1.0f;
    public int workPerFrame = 20000;

    Crowd crowd;
    ulong[] units;
    Point[] points;
    Transform[] bodies;
    uint width, height;

    void Start()
    {
        using (var map = Surefoot.Map.Parse(arena.text))
        {
            width = map.Width;
            height = map.Height;
            crowd = new Crowd(map, new CrowdOptions { UnitsAsObstacles = 1 });
            uint kind = crowd.AddKind(new KindOptions { Unbuilt = true });
            crowd.BuildInFrames(kind); // within the budgets of the first frames: nothing stutters
            units = new ulong[unitCount];
            bodies = new Transform[unitCount];
            int added = 0;
            for (uint y = 0; y < height && added < unitCount; y++)
                for (uint x = 0; x < width && added < unitCount; x++)
                {
                    var cell = new Cell(x, y);
                    if (!map.IsFree(cell)) continue;
                    units[added] = crowd.Add(kind, cell, cell);
                    crowd.SetSpeed(units[added], 1, 8); // a cell in eight frames
                    bodies[added++] = Instantiate(unitPrefab, transform).transform;
                }
            Array.Resize(ref units, added);
            points = new Point[added];
        }
    }

    // The same number of steps a second on all machines, so that players in lockstep see the same.
    void FixedUpdate()
    {
        crowd.Frame((ulong)workPerFrame);
    }

    void Update()
    {
        if (Input.GetMouseButtonDown(0)) SendTo(Input.mousePosition);
        crowd.Points(units, points);
        // Rows of a map go down; Unity's z goes up.
        for (int i = 0; i < units.Length; i++)
            bodies[i].localPosition = new Vector3(points[i].X * cellSize, 0, (height - 1 - points[i].Y) * cellSize);
    }

    void SendTo(Vector3 mouse)
    {
        var ray = Camera.main.ScreenPointToRay(mouse);
        if (Mathf.Abs(ray.direction.y) < 1e-6f) return;
        var hit = transform.InverseTransformPoint(ray.origin - ray.direction * (ray.origin.y / ray.direction.y));
        int x = Mathf.RoundToInt(hit.x / cellSize), y = (int)height - 1 - Mathf.RoundToInt(hit.z / cellSize);
        if (x < 0 || y < 0 || x >= width || y >= height) return;
        try { crowd.Send(units, new Cell((uint)x, (uint)y)); }
        catch (SurefootException exception) { Debug.LogWarning(exception.Message); } // a wall, say
    }

    void OnDestroy()
    {
        if (crowd != null) crowd.Dispose();
    }
}
