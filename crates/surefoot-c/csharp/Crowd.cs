// Crowds for C#: see Surefoot.cs.

using System;
using System.Runtime.InteropServices;

namespace Surefoot
{
    /// <summary>Thousands of units on one map that changes, with one budget a frame.</summary>
    public sealed class Crowd : Owner
    {
        /// <summary>A budget of work that is as much as all units need.</summary>
        public const ulong Everyone = ulong.MaxValue;

        /// <summary>No unit.</summary>
        public const ulong NoUnit = ulong.MaxValue;

        /// <summary>No group.</summary>
        public const uint NoGroup = uint.MaxValue;

        internal Crowd(ulong bits) : base(bits) { }
        internal override Result Free(ulong bits) { return Native.surefoot_crowd_free(bits); }

        static ulong Make(Map map, CrowdOptions options)
        {
            ulong crowd;
            map.Check(Native.surefoot_crowd_new(map.Bits, ref options, out crowd));
            return crowd;
        }

        /// <summary>A crowd on a copy of a map, without any units yet.</summary>
        public Crowd(Map map, CrowdOptions options = default(CrowdOptions)) : base(Make(map, options)) { }

        /// <summary>A crowd that `Save` gave: it goes on exactly as the one that was saved.</summary>
        public static Crowd Load(byte[] bytes)
        {
            ulong crowd;
            Native.Check(Native.surefoot_crowd_load(bytes, Native.Size(bytes), out crowd));
            return new Crowd(crowd);
        }

        public byte[] Save() { ulong bytes; Check(Native.surefoot_crowd_save(Bits, out bytes)); return Native.Take(bytes); }

        /// <summary>A copy that goes on from here on its own: to look ahead, or to go back to.</summary>
        public Crowd Copy() { ulong copy; Check(Native.surefoot_crowd_copy(Bits, out copy)); return new Crowd(copy); }

        /// <summary>The map as it is now.</summary>
        public Map Map() { ulong map; Check(Native.surefoot_crowd_map(Bits, out map)); return new Map(map); }

        /// <summary>A number that is the same for crowds that go on alike.</summary>
        public ulong Checksum { get { ulong sum; Check(Native.surefoot_crowd_checksum(Bits, out sum)); return sum; } }

        /// <summary>Adds a kind of units, and builds what they find their way by.</summary>
        public uint AddKind(KindOptions options = default(KindOptions), Progress progress = null)
        {
            uint kind = 0;
            var weights = options.Weights == null ? default(GCHandle) : GCHandle.Alloc(options.Weights, GCHandleType.Pinned);
            var links = options.Links == null ? default(GCHandle) : GCHandle.Alloc(options.Links, GCHandleType.Pinned);
            try
            {
                var native = new Native.Kind
                {
                    Rule = (int)options.Rule, Costs = (int)options.Costs, Size = options.Size,
                    Unbuilt = options.Unbuilt ? 1u : 0u,
                    Weights = weights.IsAllocated ? weights.AddrOfPinnedObject() : IntPtr.Zero,
                    WeightCount = Native.Size(options.Weights),
                    Links = links.IsAllocated ? links.AddrOfPinnedObject() : IntPtr.Zero,
                    LinkCount = Native.Size(options.Links),
                    Navigator = options.Navigator == null ? 0 : options.Navigator.Bits,
                };
                Hearer.Run(progress, hear => Native.surefoot_crowd_add_kind(Bits, ref native, hear, IntPtr.Zero, out kind));
                GC.KeepAlive(this);
                GC.KeepAlive(options.Navigator);
            }
            finally
            {
                if (weights.IsAllocated) weights.Free();
                if (links.IsAllocated) links.Free();
            }
            return kind;
        }

        /// <summary>Begins to build what a kind needs within the budgets of the next frames.</summary>
        public void BuildInFrames(uint kind) { Check(Native.surefoot_crowd_build_in_frames(Bits, kind)); }
        public void CancelBuild(uint kind) { Check(Native.surefoot_crowd_cancel_build(Bits, kind)); }

        /// <summary>How much is done of the stage that a build in frames is in, and how much there is.</summary>
        public void BuildProgress(uint kind, out ulong done, out ulong all) { Check(Native.surefoot_crowd_build_progress(Bits, kind, out done, out all)); }

        /// <summary>Builds what a kind needs: call it from a thread of its own, and the crowd can be used meanwhile.</summary>
        public void Build(uint kind, Progress progress = null)
        {
            Hearer.Run(progress, hear => Native.surefoot_crowd_build(Bits, kind, hear, IntPtr.Zero));
            GC.KeepAlive(this);
        }

        public bool IsBuilt(uint kind) { int isBuilt, isUpToDate; Check(Native.surefoot_crowd_is_built(Bits, kind, out isBuilt, out isUpToDate)); return isBuilt != 0; }

        /// <summary>Whether what a kind goes by knows all edits of the map.</summary>
        public bool IsUpToDate(uint kind) { int isBuilt, isUpToDate; Check(Native.surefoot_crowd_is_built(Bits, kind, out isBuilt, out isUpToDate)); return isUpToDate != 0; }

        /// <summary>Adds a unit.</summary>
        public ulong Add(uint kind, Cell start, Cell goal, Priority priority = Priority.Normal)
        {
            ulong unit;
            Check(Native.surefoot_crowd_add(Bits, kind, start, goal, (int)priority, out unit));
            return unit;
        }

        /// <summary>Adds as many units as there are starts; all or none.</summary>
        public ulong[] AddMany(uint kind, Cell[] starts, Cell[] goals, Priority priority = Priority.Normal)
        {
            if (starts.Length != goals.Length) throw new SurefootException(Result.Argument, "each unit needs a start and a goal");
            var units = new ulong[starts.Length];
            Check(Native.surefoot_crowd_add_many(Bits, kind, starts, goals, Native.Size(starts), (int)priority, units));
            return units;
        }

        public void Remove(ulong unit) { Check(Native.surefoot_crowd_remove(Bits, unit)); }

        /// <summary>Sends units to one place: the group that they are now.</summary>
        public uint Send(ulong[] units, Cell goal) { uint group; Check(Native.surefoot_crowd_send(Bits, units, Native.Size(units), goal, out group)); return group; }
        public void SetGoal(ulong unit, Cell goal) { Check(Native.surefoot_crowd_set_goal(Bits, unit, goal)); }

        /// <summary>Or if it cannot get there, the nearest cell that it can get to: which one that is.</summary>
        public Cell SetGoalOrNearest(ulong unit, Cell goal) { Cell nearest; Check(Native.surefoot_crowd_set_goal_or_nearest(Bits, unit, goal, out nearest)); return nearest; }
        public void Pursue(ulong unit, ulong target) { Check(Native.surefoot_crowd_pursue(Bits, unit, target)); }
        public void Stop(ulong unit) { Check(Native.surefoot_crowd_stop(Bits, unit)); }

        public void Place(ulong unit, Cell cell) { Check(Native.surefoot_crowd_place(Bits, unit, cell)); }
        public void SetPriority(ulong unit, Priority priority) { Check(Native.surefoot_crowd_set_priority(Bits, unit, (int)priority)); }

        /// <summary>Puts units that stand on blocked ground beside it. Who they are.</summary>
        public ulong[] PushOut()
        {
            UIntPtr count;
            var units = new ulong[Size];
            Check(Native.surefoot_crowd_push_out(Bits, units, Native.Size(units), out count));
            Array.Resize(ref units, Math.Min((int)count, units.Length));
            return units;
        }

        /// <summary>So many cells in so many frames.</summary>
        public void SetSpeed(ulong unit, uint cells, uint frames) { Check(Native.surefoot_crowd_set_speed(Bits, unit, cells, frames)); }

        /// <summary>Frees or blocks cells: how many that changes.</summary>
        public ulong SetCells(Cell[] cells, bool free) { ulong changed; Check(Native.surefoot_crowd_set_cells(Bits, cells, Native.Size(cells), free ? 1 : 0, out changed)); return changed; }
        public ulong SetWeights(uint kind, Cell[] cells, byte weight) { ulong changed; Check(Native.surefoot_crowd_set_weights(Bits, kind, cells, Native.Size(cells), weight, out changed)); return changed; }
        public uint AddLink(uint kind, Link link) { uint id; Check(Native.surefoot_crowd_add_link(Bits, kind, link, out id)); return id; }
        public void RemoveLink(uint kind, uint id) { Check(Native.surefoot_crowd_remove_link(Bits, kind, id)); }

        /// <summary>Lets all units walk for a frame, with so much work for all of them together.</summary>
        public FrameReport Frame(ulong work = Everyone) { FrameReport report; Check(Native.surefoot_crowd_frame(Bits, work, out report)); return report; }

        /// <summary>Copies moves of the last frame, as many as there is room for: how many there are.</summary>
        public int Moves(UnitMove[] moves) { UIntPtr count; Check(Native.surefoot_crowd_moves(Bits, moves, Native.Size(moves), out count)); return (int)count; }

        /// <summary>A list of units of the last frame.</summary>
        public ulong[] Listed(UnitList which) { return Native.List<ulong>(this, (ulong[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_listed(Bits, (int)which, room, capacity, out count)); }

        /// <summary>Groups that were all there after the last frame.</summary>
        public uint[] Settled() { return Native.List<uint>(this, (uint[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_settled(Bits, room, capacity, out count)); }

        /// <summary>Kinds that got what they need in the last frame.</summary>
        public uint[] Built() { return Native.List<uint>(this, (uint[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_built(Bits, room, capacity, out count)); }

        /// <summary>Kinds that cannot be built in frames: `Build` builds what they need.</summary>
        public uint[] NotBuilt() { return Native.List<uint>(this, (uint[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_not_built(Bits, room, capacity, out count)); }

        public int Size { get { ulong units; Check(Native.surefoot_crowd_size(Bits, out units)); return (int)units; } }
        public ulong[] Units() { return Native.List<ulong>(this, (ulong[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_units(Bits, room, capacity, out count)); }

        /// <summary>The units of a group.</summary>
        public ulong[] Members(uint group) { return Native.List<ulong>(this, (ulong[] room, UIntPtr capacity, out UIntPtr count) => Native.surefoot_crowd_members(Bits, group, room, capacity, out count)); }

        /// <summary>Copies where units stand.</summary>
        public void Positions(ulong[] units, Cell[] cells) { NeedRoom(units, cells); Check(Native.surefoot_crowd_positions(Bits, units, Native.Size(units), cells)); }

        /// <summary>Copies where to draw units, between two cells where a unit has a speed.</summary>
        public void Points(ulong[] units, Point[] points) { NeedRoom(units, points); Check(Native.surefoot_crowd_points(Bits, units, Native.Size(units), points)); }

        static void NeedRoom(Array units, Array room)
        {
            if (room.Length < units.Length) throw new SurefootException(Result.Argument, "there is not enough room for all units");
        }

        public Cell Position(ulong unit) { Cell cell; Check(Native.surefoot_crowd_position(Bits, unit, out cell)); return cell; }
        public Cell Goal(ulong unit) { Cell cell; Check(Native.surefoot_crowd_goal(Bits, unit, out cell)); return cell; }
        public uint KindOf(ulong unit) { uint kind; Check(Native.surefoot_crowd_kind_of(Bits, unit, out kind)); return kind; }

        /// <summary>Whom it pursues; `NoUnit` if nobody.</summary>
        public ulong Target(ulong unit) { ulong target; Check(Native.surefoot_crowd_target(Bits, unit, out target)); return target; }

        /// <summary>Whom it was sent with; `NoGroup` if nobody.</summary>
        public uint GroupOf(ulong unit) { uint group; Check(Native.surefoot_crowd_group_of(Bits, unit, out group)); return group; }
        public bool IsFree(Cell cell) { int isFree; Check(Native.surefoot_crowd_is_free(Bits, cell, out isFree)); return isFree != 0; }
        public byte Weight(uint kind, Cell cell) { byte weight; Check(Native.surefoot_crowd_weight(Bits, kind, cell, out weight)); return weight; }

        /// <summary>The bytes of what all units share, of what is kept of edits, and of each unit.</summary>
        public void Memory(out ulong shared, out ulong ofEdits, out ulong perUnit) { Check(Native.surefoot_crowd_memory(Bits, out shared, out ofEdits, out perUnit)); }
        public Status Status(ulong unit) { Status status; Check(Native.surefoot_crowd_status(Bits, unit, out status)); return status; }

        /// <summary>The way that is left to a unit; null if there is none.</summary>
        public Cell[] Path(ulong unit)
        {
            ulong path;
            return Check(Native.surefoot_crowd_path(Bits, unit, out path)) ? Native.TakePath(path) : null;
        }

        /// <summary>What the way costs that is left to a unit; null if there is none.</summary>
        public double? CostLeft(ulong unit) { double cost; return Check(Native.surefoot_crowd_cost_left(Bits, unit, out cost)) ? cost : (double?)null; }

        /// <summary>A path that units of a kind could take; null if there is none.</summary>
        public Cell[] PathBetween(uint kind, Cell start, Cell goal)
        {
            ulong path;
            return Check(Native.surefoot_crowd_path_between(Bits, kind, start, goal, out path)) ? Native.TakePath(path) : null;
        }

        /// <summary>What a way costs units of a kind; null if there is none.</summary>
        public double? Cost(uint kind, Cell start, Cell goal) { double cost; return Check(Native.surefoot_crowd_cost(Bits, kind, start, goal, out cost)) ? cost : (double?)null; }

        /// <summary>What ways to many cells cost; infinity for those that there is no way to.</summary>
        public double[] CostsTo(uint kind, Cell start, Cell[] goals)
        {
            var costs = new double[goals.Length];
            Check(Native.surefoot_crowd_costs(Bits, kind, start, goals, Native.Size(goals), costs));
            return costs;
        }

        /// <summary>The place of the nearest goal; null if there is no way to any.</summary>
        public int? NearestOf(uint kind, Cell start, Cell[] goals)
        {
            UIntPtr nearest;
            double cost;
            var result = Native.surefoot_crowd_nearest_of(Bits, kind, start, goals, Native.Size(goals), out nearest, out cost);
            return Check(result) ? (int)nearest : (int?)null;
        }

        public bool Reachable(uint kind, Cell start, Cell goal) { int isReachable; Check(Native.surefoot_crowd_reachable(Bits, kind, start, goal, out isReachable)); return isReachable != 0; }
    }
}
