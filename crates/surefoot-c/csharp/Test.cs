// What `cargo xtask c --check` runs with Mono: each call of the front door, and what is wrong as an exception.

using System;
using Surefoot;

static class Test
{
    static void Expect(bool isSo, string what)
    {
        if (!isSo) throw new Exception("not so: " + what);
    }

    static void Refused(Result code, Action act)
    {
        try { act(); }
        catch (SurefootException exception)
        {
            Expect(exception.Code == code && exception.Message.Length > 0, code + ", not " + exception.Code);
            return;
        }
        throw new Exception("nothing was wrong, and should be " + code);
    }

    static int Main()
    {
        var map = Map.Parse("......\n.####.\n......\n");
        Expect(map.Width == 6 && map.Height == 3 && map.IsFree(new Cell(0, 1)) && !map.IsFree(new Cell(1, 1)), "the map");
        Refused(Result.Argument, () => new Map(new byte[5], 2, 2));
        Refused(Result.File, () => Map.Open("no such file.map"));
        int told = 0;
        using (var navigator = Navigator.Build(map, (stage, done, all) => { told++; return true; }))
        {
            Expect(told > 0 && navigator.IsExact, "the build");
            Expect(navigator.Path(new Cell(1, 0), new Cell(1, 2)).Length == 5, "the path");
            Expect(navigator.Cost(new Cell(1, 0), new Cell(1, 2)) == 4.0, "the cost");
            Expect(navigator.NearestOf(new Cell(0, 0), new[] { new Cell(5, 0), new Cell(0, 2) }) == 1, "the nearest");
            Expect(navigator.TurningPoints(new Cell(0, 0), new Cell(5, 0)).Length == 2, "turning points");
            Expect(navigator.SmoothPath(new Cell(0, 0), new Cell(5, 0)).Length == 2, "the path pulled tight");
            using (var copy = navigator.Copy())
            using (var known = copy.Map())
                Expect(known.Cells().Length == 18 && known.Rule == Rule.NoCut && copy.Memory > 0, "a copy");
            Expect(navigator.CostsTo(new Cell(0, 0), new[] { new Cell(5, 0) })[0] == 5.0, "costs");
            Refused(Result.Query, () => navigator.Cost(new Cell(1, 0), new Cell(1, 1)));
            Refused(Result.Database, () => Navigator.FromBytes(map, new byte[40]));
            using (var again = Navigator.FromBytes(map, navigator.ToBytes()))
                Expect(again.Cost(new Cell(1, 0), new Cell(1, 2)) == 4.0, "the navigator from bytes");
            var walker = navigator.Walker(new Cell(1, 0), new Cell(1, 2));
            navigator.SetCells(new[] { new Cell(0, 1) }, false);
            walker.Follow(navigator);
            Cell at;
            int moves = 0;
            while (walker.Next(out at) != Step.Arrived) moves++;
            Expect(moves == 10 && at.Equals(new Cell(1, 2)), "the walk");
            walker.Dispose();
            Refused(Result.Handle, () => walker.SetGoal(new Cell(0, 0)));
            navigator.SetCells(new[] { new Cell(5, 1) }, false);
            Expect(navigator.Path(new Cell(1, 0), new Cell(1, 2)) == null, "no way");
            Expect(navigator.TurningPoints(new Cell(1, 0), new Cell(1, 2)) == null, "nor where it turns");
        }
        Refused(Result.Cancelled, () => Navigator.Build(map, (stage, done, all) => false));
        try
        {
            Navigator.Build(map, (stage, done, all) => { throw new InvalidOperationException("mine"); });
            Expect(false, "an exception of one's own");
        }
        catch (InvalidOperationException exception) { Expect(exception.Message == "mine", "the same exception"); }

        using (var crowd = new Crowd(map))
        {
            var weights = new byte[18];
            for (int i = 0; i < 18; i++) weights[i] = 2;
            uint scouts = crowd.AddKind(), slow = crowd.AddKind(new KindOptions { Weights = weights, Rule = Rule.Cardinal });
            var units = crowd.AddMany(scouts, new[] { new Cell(0, 0), new Cell(1, 0) }, new[] { new Cell(5, 2), new Cell(5, 0) });
            ulong last = crowd.Add(slow, new Cell(0, 0), new Cell(0, 2));
            var moves = new UnitMove[8];
            ulong all = 0;
            for (int frame = 0; frame < 20; frame++)
            {
                var report = crowd.Frame(20000);
                Expect(crowd.Moves(moves) == (int)report.Moves, "as many moves as the report says");
                all += report.Arrived;
            }
            var cells = new Cell[2];
            crowd.Positions(units, cells);
            Expect(all == 3 && cells[0].Equals(new Cell(5, 2)) && crowd.Status(last) == Status.Arrived, "the crowd");
            Expect(crowd.Units().Length == 3 && crowd.Position(units[0]).Equals(cells[0]), "units");
            Expect(crowd.KindOf(last) == slow && crowd.Weight(slow, new Cell(0, 0)) == 2, "kinds");
            Expect(crowd.Target(last) == Crowd.NoUnit && crowd.GroupOf(last) == Crowd.NoGroup, "nobody");
            Expect(crowd.Members(crowd.Send(units, new Cell(0, 2))).Length == 2, "a group");
            Expect(crowd.NearestOf(scouts, new Cell(0, 0), new[] { new Cell(5, 0), new Cell(0, 2) }) == 1, "the nearest");
            Expect(crowd.CostsTo(slow, new Cell(0, 0), new[] { new Cell(2, 0) })[0] == 4.0, "costs of a kind");
            Expect(crowd.PathBetween(scouts, new Cell(0, 0), new Cell(0, 2)).Length == 3, "a path of a kind");
            Expect(crowd.SetGoalOrNearest(last, new Cell(9, 9)).Equals(new Cell(5, 2)), "the nearest goal");
            using (var built = Navigator.Build(map))
            {
                uint quick = crowd.AddKind(new KindOptions { Navigator = built }, (stage, done, of) => false);
                Expect(crowd.IsBuilt(quick) && crowd.IsUpToDate(quick), "taken, not built");
            }
            uint later = crowd.AddKind(new KindOptions { Unbuilt = true });
            Expect(!crowd.IsBuilt(later), "not built yet");
            Refused(Result.Cancelled, () => crowd.Build(later, (stage, done, of) => false));
            crowd.Build(later);
            Expect(crowd.IsBuilt(later), "built by another call");
            using (var ahead = crowd.Copy())
            {
                ahead.Frame();
                Expect(ahead.Checksum != crowd.Checksum, "a copy goes its own way");
            }
            crowd.SetCells(new[] { crowd.Position(last) }, false);
            Expect(crowd.PushOut().Length == 1 && crowd.IsFree(crowd.Position(last)), "pushed out");
            using (var loaded = Crowd.Load(crowd.Save())) Expect(loaded.Checksum == crowd.Checksum, "the saved crowd");
            Refused(Result.Crowd, () => crowd.Stop(ulong.MaxValue));
        }
        map.Dispose();
        Refused(Result.Handle, () => map.IsFree(new Cell(0, 0)));
        Console.WriteLine("C#: all as it should be");
        return 0;
    }
}
