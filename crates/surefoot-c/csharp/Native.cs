// The functions of surefoot.h, as Surefoot.cs and Crowd.cs call them. A handle is 64 bits.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Surefoot
{
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int Hear(IntPtr user, IntPtr stage, ulong done, ulong all);

#if UNITY_5_3_OR_NEWER
    // IL2CPP calls static methods only from native code.
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute { public MonoPInvokeCallbackAttribute(Type type) { } }
#endif

    /// <summary>Passes a build on to a function of C#, and keeps what it throws. A build calls on its own thread.</summary>
    internal static class Hearer
    {
        [ThreadStatic] static Progress progress;
        [ThreadStatic] static Exception thrown;
        static readonly Hear Function = Hear;

#if UNITY_5_3_OR_NEWER
        [MonoPInvokeCallback(typeof(Hear))]
#endif
        static int Hear(IntPtr user, IntPtr stage, ulong done, ulong all)
        {
            try { return progress(Native.Text(stage), done, all) ? 0 : 1; }
            catch (Exception exception) { thrown = exception; return 1; }
        }

        internal static void Run(Progress heard, Func<Hear, Result> build)
        {
            var before = progress;
            progress = heard;
            thrown = null;
            Result result;
            try { result = build(heard == null ? null : Function); }
            finally { progress = before; }
            var exception = thrown;
            thrown = null;
            if (exception != null) throw exception;
            Native.Check(result);
        }
    }

    internal static class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Library = "__Internal"; // it is linked with the game
#else
        const string Library = "surefoot_c";
#endif

        [StructLayout(LayoutKind.Sequential)]
        internal struct Kind
        {
            internal int Rule, Costs;
            internal uint Size, Unbuilt;
            internal IntPtr Weights;
            internal UIntPtr WeightCount;
            internal IntPtr Links;
            internal UIntPtr LinkCount;
            internal ulong Navigator;
        }

        /// <summary>Throws if a call did not work. Whether there is a way.</summary>
        internal static bool Check(Result result)
        {
            if (result == Result.Ok) return true;
            if (result == Result.NoWay) return false;
            throw new SurefootException(result, Text(surefoot_error_message()));
        }

        internal static UIntPtr Size(Array values) { return values == null ? UIntPtr.Zero : (UIntPtr)(uint)values.Length; }

        /// <summary>UTF-8 with a zero at the end.</summary>
        internal static byte[] Text(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

        internal static string Text(IntPtr text)
        {
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static byte[] Take(ulong bytes)
        {
            try
            {
                UIntPtr size;
                Check(surefoot_bytes_size(bytes, out size));
                var copy = new byte[(int)size];
                Check(surefoot_bytes_copy(bytes, copy, size, out size));
                return copy;
            }
            finally { surefoot_bytes_free(bytes); }
        }

        internal static Cell[] TakePath(ulong path)
        {
            try
            {
                UIntPtr count;
                Check(surefoot_path_length(path, out count));
                var cells = new Cell[(int)count];
                Check(surefoot_path_cells(path, cells, count, out count));
                return cells;
            }
            finally { surefoot_path_free(path); }
        }

        internal delegate Result Copy<T>(T[] room, UIntPtr capacity, out UIntPtr count);

        /// <summary>A list that is copied by a call with room and count; null if the call says that there is no way.</summary>
        internal static T[] List<T>(Owner owner, Copy<T> copy)
        {
            UIntPtr count;
            var values = new T[0];
            if (!owner.Check(copy(values, UIntPtr.Zero, out count))) return null;
            // It may have grown meanwhile, if another thread changes it.
            while ((int)count > values.Length)
            {
                values = new T[(int)count];
                if (!owner.Check(copy(values, count, out count))) return null;
            }
            if ((int)count < values.Length) Array.Resize(ref values, (int)count);
            return values;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr surefoot_error_message();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr surefoot_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_bytes_size(ulong bytes, out UIntPtr size);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_bytes_copy(ulong bytes, [Out] byte[] to, UIntPtr capacity, out UIntPtr size);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_bytes_free(ulong bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_new(byte[] cells, UIntPtr count, uint width, uint height, out ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_open(byte[] file, out ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_from_bytes(byte[] bytes, UIntPtr size, out ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_copy(ulong map, out ulong copy);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_free(ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_size(ulong map, out uint width, out uint height);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_is_free(ulong map, Cell cell, out int isFree);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_cells(ulong map, [Out] byte[] cells, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_set_cells(ulong map, Cell[] cells, UIntPtr count, int free);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_set_rule(ulong map, int rule);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_set_costs(ulong map, int costs);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_set_weights(ulong map, byte[] weights, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_set_links(ulong map, Link[] links, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_map_rule(ulong map, out int rule, out int costs);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_build(ulong map, Hear progress, IntPtr user, out ulong navigator);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_open(ulong map, byte[] file, out ulong navigator);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_from_bytes(ulong map, byte[] bytes, UIntPtr size, out ulong navigator);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_copy(ulong navigator, out ulong copy);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_free(ulong navigator);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_save(ulong navigator, byte[] file);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_to_bytes(ulong navigator, out ulong bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_map(ulong navigator, out ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_is_exact(ulong navigator, out int isExact);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_memory(ulong navigator, out ulong bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_set_cells(ulong navigator, Cell[] cells, UIntPtr count, int free);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_set_weights(ulong navigator, Cell[] cells, UIntPtr count, byte weight);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_path(ulong navigator, Cell start, Cell goal, out ulong path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_turning_points(ulong navigator, Cell start, Cell goal, [Out] Cell[] cells, UIntPtr capacity, out UIntPtr count, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_smooth(ulong navigator, ulong path, [Out] Cell[] cells, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_cost(ulong navigator, Cell start, Cell goal, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_costs(ulong navigator, Cell start, Cell[] goals, UIntPtr count, [Out] double[] costs);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_reachable(ulong navigator, Cell start, Cell goal, out int isReachable);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_navigator_nearest_of(ulong navigator, Cell start, Cell[] goals, UIntPtr count, out UIntPtr nearest, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_path_length(ulong path, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_path_cost(ulong path, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_path_cells(ulong path, [Out] Cell[] cells, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_path_turning_points(ulong path, [Out] Cell[] cells, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_path_free(ulong path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_new(ulong navigator, Cell start, Cell goal, out ulong walker);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_next(ulong walker, out Step step, out Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_position(ulong walker, out Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_goal(ulong walker, out Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_cost_left(ulong walker, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_work(ulong walker, out ulong work);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_set_goal(ulong walker, Cell goal);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_follow(ulong walker, ulong navigator);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_walker_free(ulong walker);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_new(ulong map, ref CrowdOptions options, out ulong crowd);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_load(byte[] bytes, UIntPtr size, out ulong crowd);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_copy(ulong crowd, out ulong copy);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_save(ulong crowd, out ulong bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_checksum(ulong crowd, out ulong checksum);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_map(ulong crowd, out ulong map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_free(ulong crowd);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_add_kind(ulong crowd, ref Kind options, Hear progress, IntPtr user, out uint kind);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_build_in_frames(ulong crowd, uint kind);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_build(ulong crowd, uint kind, Hear progress, IntPtr user);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_build_progress(ulong crowd, uint kind, out ulong done, out ulong all);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_cancel_build(ulong crowd, uint kind);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_is_built(ulong crowd, uint kind, out int isBuilt, out int isUpToDate);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_add(ulong crowd, uint kind, Cell start, Cell goal, int priority, out ulong unit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_add_many(ulong crowd, uint kind, Cell[] starts, Cell[] goals, UIntPtr count, int priority, [Out] ulong[] units);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_remove(ulong crowd, ulong unit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_send(ulong crowd, ulong[] units, UIntPtr count, Cell goal, out uint group);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_goal(ulong crowd, ulong unit, Cell goal);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_goal_or_nearest(ulong crowd, ulong unit, Cell goal, out Cell nearest);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_pursue(ulong crowd, ulong unit, ulong target);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_stop(ulong crowd, ulong unit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_place(ulong crowd, ulong unit, Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_push_out(ulong crowd, [Out] ulong[] units, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_priority(ulong crowd, ulong unit, int priority);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_speed(ulong crowd, ulong unit, uint cells, uint frames);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_cells(ulong crowd, Cell[] cells, UIntPtr count, int free, out ulong changed);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_set_weights(ulong crowd, uint kind, Cell[] cells, UIntPtr count, byte weight, out ulong changed);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_add_link(ulong crowd, uint kind, Link link, out uint id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_remove_link(ulong crowd, uint kind, uint id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_frame(ulong crowd, ulong work, out FrameReport report);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_moves(ulong crowd, [Out] UnitMove[] moves, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_listed(ulong crowd, int which, [Out] ulong[] units, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_settled(ulong crowd, [Out] uint[] groups, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_built(ulong crowd, [Out] uint[] kinds, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_not_built(ulong crowd, [Out] uint[] kinds, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_size(ulong crowd, out ulong units);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_units(ulong crowd, [Out] ulong[] units, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_positions(ulong crowd, ulong[] units, UIntPtr count, [Out] Cell[] cells);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_points(ulong crowd, ulong[] units, UIntPtr count, [Out] Point[] points);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_position(ulong crowd, ulong unit, out Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_goal(ulong crowd, ulong unit, out Cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_status(ulong crowd, ulong unit, out Status status);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_kind_of(ulong crowd, ulong unit, out uint kind);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_target(ulong crowd, ulong unit, out ulong target);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_group_of(ulong crowd, ulong unit, out uint group);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_members(ulong crowd, uint group, [Out] ulong[] units, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_is_free(ulong crowd, Cell cell, out int isFree);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_weight(ulong crowd, uint kind, Cell cell, out byte weight);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_memory(ulong crowd, out ulong shared, out ulong ofEdits, out ulong perUnit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_path(ulong crowd, ulong unit, out ulong path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_cost_left(ulong crowd, ulong unit, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_path_between(ulong crowd, uint kind, Cell start, Cell goal, out ulong path);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_cost(ulong crowd, uint kind, Cell start, Cell goal, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_costs(ulong crowd, uint kind, Cell start, Cell[] goals, UIntPtr count, [Out] double[] costs);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_nearest_of(ulong crowd, uint kind, Cell start, Cell[] goals, UIntPtr count, out UIntPtr nearest, out double cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern Result surefoot_crowd_reachable(ulong crowd, uint kind, Cell start, Cell goal, out int isReachable);
    }
}
