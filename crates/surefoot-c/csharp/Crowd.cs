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
                };
                Hearer.Run(progress, hear => Native.surefoot_crowd_add_kind(Bits, ref native, hear, IntPtr.Zero, out kind));
                GC.KeepAlive(this);
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
        public void Pursue(ulong unit, ulong target) { Check(Native.surefoot_crowd_pursue(Bits, unit, target)); }
        public void Stop(ulong unit) { Check(Native.surefoot_crowd_stop(Bits, unit)); }

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
        public ulong[] Listed(UnitList which)
        {
            UIntPtr count;
            Check(Native.surefoot_crowd_listed(Bits, (int)which, null, UIntPtr.Zero, out count));
            var units = new ulong[(int)count];
            Check(Native.surefoot_crowd_listed(Bits, (int)which, units, count, out count));
            return units;
        }

        /// <summary>Copies where units stand.</summary>
        public void Positions(ulong[] units, Cell[] cells) { NeedRoom(units, cells); Check(Native.surefoot_crowd_positions(Bits, units, Native.Size(units), cells)); }

        /// <summary>Copies where to draw units, between two cells where a unit has a speed.</summary>
        public void Points(ulong[] units, Point[] points) { NeedRoom(units, points); Check(Native.surefoot_crowd_points(Bits, units, Native.Size(units), points)); }

        static void NeedRoom(Array units, Array room)
        {
            if (room.Length < units.Length) throw new SurefootException(Result.Argument, "there is not enough room for all units");
        }

        public Status Status(ulong unit) { Status status; Check(Native.surefoot_crowd_status(Bits, unit, out status)); return status; }

        /// <summary>The way that is left to a unit; null if there is none.</summary>
        public Cell[] Path(ulong unit)
        {
            ulong path;
            return Check(Native.surefoot_crowd_path(Bits, unit, out path)) ? Native.TakePath(path) : null;
        }
    }
}
