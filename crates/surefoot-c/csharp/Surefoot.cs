// surefoot for C#: the front door of surefoot.h as classes to be disposed of. Works with .NET, Mono and Unity (C# 7).
//
// Put the library where the program finds it: libsurefoot_c.so, libsurefoot_c.dylib or surefoot_c.dll; in Unity below
// Assets/Plugins. Whatever is wrong is a SurefootException with the library's words. That there is no way is no error:
// the answer is null. A cell is a column and a row, both from 0.
//
// Any call may be made by any thread. Calls that only ask run at the same time; those that change an object wait. What was
// disposed of is refused: handles are checked on every call.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Surefoot
{
    /// <summary>What a call came to.</summary>
    public enum Result
    {
        Ok = 0, NoWay = 1, Cancelled = 2, Handle = 3, Argument = 4, Map = 5, Query = 6, Database = 7, Crowd = 8,
        File = 9, Memory = 10, Internal = 11,
    }

    /// <summary>When a diagonal move is allowed.</summary>
    public enum Rule { AsMap = 0, NoCut = 1, OneFree = 2, Squeeze = 3, Cardinal = 4 }

    /// <summary>What a diagonal move costs.</summary>
    public enum Costs { AsMap = 0, Sqrt2 = 1, Diagonal14 = 2 }

    /// <summary>Who is served first where the work of a frame does not suffice.</summary>
    public enum Priority { Normal = 0, Low = 1, High = 2 }

    /// <summary>What came of a walker's move.</summary>
    public enum Step { Moved = 0, Arrived = 1, NoWay = 2, Waiting = 3 }

    /// <summary>How a unit of a crowd fares.</summary>
    public enum Status { Walking = 0, Arrived = 1, Unreachable = 2, Stuck = 3 }

    /// <summary>Lists of units in the report of a frame.</summary>
    public enum UnitList { Arrived = 0, Unreachable = 1, Reachable = 2, Blocked = 3, Lost = 4 }

    /// <summary>A cell of a map.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Cell : IEquatable<Cell>
    {
        public uint X, Y;
        public Cell(uint x, uint y) { X = x; Y = y; }
        public bool Equals(Cell other) { return X == other.X && Y == other.Y; }
        public override bool Equals(object other) { return other is Cell && Equals((Cell)other); }
        public override int GetHashCode() { return unchecked((int)(X * 65537 + Y)); }
        public override string ToString() { return "(" + X + ", " + Y + ")"; }
    }

    /// <summary>A place between cells; the middle of the first cell is at 0, 0.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Point { public float X, Y; }

    /// <summary>An extra move: a one-way door, a ladder, a teleporter.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Link { public Cell From, To; public uint Moves; }

    /// <summary>A move of a unit.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UnitMove { public ulong Unit; public Cell From, To; }

    /// <summary>What happened in a frame, in numbers; as in surefoot.h.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FrameReport
    {
        public uint Frame, Served, Waiting, LongestWait, Overdrawn, Relieved;
        public ulong WaitBound, Work, Upkeep;
        public ulong Moves, Arrived, Unreachable, Reachable, Blocked, Lost, Settled, Built, NotBuilt;
    }

    /// <summary>How a crowd is to be; zero is as usual.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct CrowdOptions
    {
        public uint UnitsAsObstacles, Parallel, Patience, MostChoices;
        public ulong MostLearned;
    }

    /// <summary>How a kind of units is to be; zero is as on the map. What a navigator of the same map has computed is taken in the place of a build.</summary>
    public struct KindOptions
    {
        public Rule Rule;
        public Costs Costs;
        public uint Size;
        public bool Unbuilt;
        public byte[] Weights;
        public Link[] Links;
        public Navigator Navigator;
    }

    /// <summary>Hears how far a build is; the build goes on if it returns true.</summary>
    public delegate bool Progress(string stage, ulong done, ulong all);

    /// <summary>The library itself.</summary>
    public static class Library
    {
        /// <summary>Its version.</summary>
        public static string Version { get { return Native.Text(Native.surefoot_version()); } }
    }

    /// <summary>What is wrong, in the library's words.</summary>
    public sealed class SurefootException : Exception
    {
        public Result Code { get; private set; }
        public SurefootException(Result code, string words) : base(words) { Code = code; }
    }

    /// <summary>Owns an object of the library.</summary>
    public abstract class Owner : IDisposable
    {
        ulong bits;
        internal Owner(ulong bits) { this.bits = bits; }
        internal ulong Bits { get { return bits; } }
        internal abstract Result Free(ulong bits);

        /// <summary>Frees it. Calls after that are refused.</summary>
        public void Dispose()
        {
            Release();
            GC.SuppressFinalize(this);
        }

        ~Owner() { Release(); }

        void Release()
        {
            ulong was = bits;
            bits = 0;
            if (was != 0) Free(was);
        }

        /// <summary>Throws if a call did not work. Whether there is a way. Keeps the object alive until here.</summary>
        internal bool Check(Result result)
        {
            GC.KeepAlive(this);
            return Native.Check(result);
        }
    }

    /// <summary>A map: which cells can be walked on, which moves there are, and what they cost.</summary>
    public sealed class Map : Owner
    {
        internal Map(ulong bits) : base(bits) { }
        internal override Result Free(ulong bits) { return Native.surefoot_map_free(bits); }

        static ulong Make(byte[] cells, uint width, uint height)
        {
            ulong map;
            Native.Check(Native.surefoot_map_new(cells, Native.Size(cells), width, height, out map));
            return map;
        }

        /// <summary>One byte a cell, row after row: what is not 0 is free.</summary>
        public Map(byte[] cells, uint width, uint height) : base(Make(cells, width, height)) { }

        /// <summary>From a MovingAI file, or ASCII art.</summary>
        public static Map Open(string file)
        {
            ulong map;
            Native.Check(Native.surefoot_map_open(Native.Text(file), out map));
            return new Map(map);
        }

        /// <summary>From the text of such a file.</summary>
        public static Map Parse(string text)
        {
            ulong map;
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            Native.Check(Native.surefoot_map_from_bytes(bytes, Native.Size(bytes), out map));
            return new Map(map);
        }

        /// <summary>A copy, which costs nothing.</summary>
        public Map Copy() { ulong copy; Check(Native.surefoot_map_copy(Bits, out copy)); return new Map(copy); }
        public uint Width { get { uint width, height; Check(Native.surefoot_map_size(Bits, out width, out height)); return width; } }
        public uint Height { get { uint width, height; Check(Native.surefoot_map_size(Bits, out width, out height)); return height; } }
        public bool IsFree(Cell cell) { int isFree; Check(Native.surefoot_map_is_free(Bits, cell, out isFree)); return isFree != 0; }
        /// <summary>One byte a cell, row after row: 1 is free.</summary>
        public byte[] Cells() { return Native.List<byte>(this, (byte[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_map_cells(Bits, room, capacity, out count)); }
        public Rule Rule { get { int rule, costs; Check(Native.surefoot_map_rule(Bits, out rule, out costs)); return (Rule)rule; } }
        public Costs Costs { get { int rule, costs; Check(Native.surefoot_map_rule(Bits, out rule, out costs)); return (Costs)costs; } }
        public void SetCells(Cell[] cells, bool free) { Check(Native.surefoot_map_set_cells(Bits, cells, Native.Size(cells), free ? 1 : 0)); }
        public void SetRule(Rule rule) { Check(Native.surefoot_map_set_rule(Bits, (int)rule)); }
        public void SetCosts(Costs costs) { Check(Native.surefoot_map_set_costs(Bits, (int)costs)); }
        public void SetWeights(byte[] weights) { Check(Native.surefoot_map_set_weights(Bits, weights, Native.Size(weights))); }
        public void SetLinks(Link[] links) { Check(Native.surefoot_map_set_links(Bits, links, Native.Size(links))); }
    }

    /// <summary>Finds ways through a map: build it once, and ask it as often as you like.</summary>
    public sealed class Navigator : Owner
    {
        internal Navigator(ulong bits) : base(bits) { }
        internal override Result Free(ulong bits) { return Native.surefoot_navigator_free(bits); }

        /// <summary>Computes what paths need. What `progress` throws comes out of it.</summary>
        public static Navigator Build(Map map, Progress progress = null)
        {
            ulong navigator = 0;
            Hearer.Run(progress, hear => Native.surefoot_navigator_build(map.Bits, hear, IntPtr.Zero, out navigator));
            GC.KeepAlive(map);
            return new Navigator(navigator);
        }

        /// <summary>Opens what `Save` wrote for the same map.</summary>
        public static Navigator Open(Map map, string file)
        {
            ulong navigator;
            map.Check(Native.surefoot_navigator_open(map.Bits, Native.Text(file), out navigator));
            return new Navigator(navigator);
        }

        /// <summary>Opens what `ToBytes` gave for the same map.</summary>
        public static Navigator FromBytes(Map map, byte[] bytes)
        {
            ulong navigator;
            map.Check(Native.surefoot_navigator_from_bytes(map.Bits, bytes, Native.Size(bytes), out navigator));
            return new Navigator(navigator);
        }

        /// <summary>A copy, which costs nothing.</summary>
        public Navigator Copy() { ulong copy; Check(Native.surefoot_navigator_copy(Bits, out copy)); return new Navigator(copy); }

        /// <summary>The map as the navigator knows it.</summary>
        public Map Map() { ulong map; Check(Native.surefoot_navigator_map(Bits, out map)); return new Map(map); }

        /// <summary>The bytes of all that was computed.</summary>
        public ulong Memory { get { ulong bytes; Check(Native.surefoot_navigator_memory(Bits, out bytes)); return bytes; } }
        public void Save(string file) { Check(Native.surefoot_navigator_save(Bits, Native.Text(file))); }
        public byte[] ToBytes() { ulong bytes; Check(Native.surefoot_navigator_to_bytes(Bits, out bytes)); return Native.Take(bytes); }
        public bool IsExact { get { int isExact; Check(Native.surefoot_navigator_is_exact(Bits, out isExact)); return isExact != 0; } }

        /// <summary>The cells of a path, both ends included; null if there is no way.</summary>
        public Cell[] Path(Cell start, Cell goal)
        {
            ulong path;
            if (!Check(Native.surefoot_navigator_path(Bits, start, goal, out path))) return null;
            return Native.TakePath(path);
        }

        /// <summary>The start, the cells where a path turns, and the goal, in less time; null if there is no way.</summary>
        public Cell[] TurningPoints(Cell start, Cell goal)
        {
            double cost;
            return Native.List<Cell>(this, (Cell[] room, UIntPtr capacity, out UIntPtr count) =>
                Native.surefoot_navigator_turning_points(Bits, start, goal, room, capacity, out count, out cost));
        }

        /// <summary>A path pulled tight, at any angle; null if there is no way.</summary>
        public Cell[] SmoothPath(Cell start, Cell goal)
        {
            ulong path;
            if (!Check(Native.surefoot_navigator_path(Bits, start, goal, out path))) return null;
            try
            {
                return Native.List<Cell>(this, (Cell[] room, UIntPtr capacity, out UIntPtr count) =>
                    Native.surefoot_navigator_smooth(Bits, path, room, capacity, out count));
            }
            finally { Native.surefoot_path_free(path); }
        }

        /// <summary>What a path costs; null if there is no way.</summary>
        public double? Cost(Cell start, Cell goal)
        {
            double cost;
            return Check(Native.surefoot_navigator_cost(Bits, start, goal, out cost)) ? cost : (double?)null;
        }

        /// <summary>What paths to many cells cost; infinity for those that there is no way to.</summary>
        public double[] CostsTo(Cell start, Cell[] goals)
        {
            var costs = new double[goals.Length];
            Check(Native.surefoot_navigator_costs(Bits, start, goals, Native.Size(goals), costs));
            return costs;
        }

        public bool Reachable(Cell start, Cell goal) { int isReachable; Check(Native.surefoot_navigator_reachable(Bits, start, goal, out isReachable)); return isReachable != 0; }

        /// <summary>The place of the nearest goal; null if there is no way to any.</summary>
        public int? NearestOf(Cell start, Cell[] goals)
        {
            UIntPtr nearest;
            double cost;
            var result = Native.surefoot_navigator_nearest_of(Bits, start, goals, Native.Size(goals), out nearest, out cost);
            return Check(result) ? (int)nearest : (int?)null;
        }

        /// <summary>A unit on its way.</summary>
        public Walker Walker(Cell start, Cell goal) { ulong walker; Check(Native.surefoot_walker_new(Bits, start, goal, out walker)); return new Walker(walker); }

        /// <summary>Frees or blocks cells, and brings the navigator up to date.</summary>
        public void SetCells(Cell[] cells, bool free) { Check(Native.surefoot_navigator_set_cells(Bits, cells, Native.Size(cells), free ? 1 : 0)); }

        /// <summary>Gives cells of a map with weights another one, 1 to 255.</summary>
        public void SetWeights(Cell[] cells, byte weight) { Check(Native.surefoot_navigator_set_weights(Bits, cells, Native.Size(cells), weight)); }
    }

    /// <summary>A unit on its way, one move a call.</summary>
    public sealed class Walker : Owner
    {
        internal Walker(ulong bits) : base(bits) { }
        internal override Result Free(ulong bits) { return Native.surefoot_walker_free(bits); }

        /// <summary>Makes the next move: what came of it, and where the walker stands.</summary>
        public Step Next(out Cell cell) { Step step; Check(Native.surefoot_walker_next(Bits, out step, out cell)); return step; }
        public Cell Position { get { Cell cell; Check(Native.surefoot_walker_position(Bits, out cell)); return cell; } }
        public Cell Goal { get { Cell cell; Check(Native.surefoot_walker_goal(Bits, out cell)); return cell; } }
        public double? CostLeft { get { double cost; return Check(Native.surefoot_walker_cost_left(Bits, out cost)) ? cost : (double?)null; } }
        /// <summary>The planning that the last move took.</summary>
        public ulong Work { get { ulong work; Check(Native.surefoot_walker_work(Bits, out work)); return work; } }
        public void SetGoal(Cell goal) { Check(Native.surefoot_walker_set_goal(Bits, goal)); }

        /// <summary>Goes on by another navigator: one that was edited, say.</summary>
        public void Follow(Navigator navigator) { Check(Native.surefoot_walker_follow(Bits, navigator.Bits)); GC.KeepAlive(navigator); }
    }
}
