// The papers as guided tours: a small map each, what to look at, the published figure and ours.

const $ = (id) => document.getElementById(id);

/** A room that opens away from the goal: where a heuristic leads into a dead end. */
function cup(width, height) {
  const cells = new Uint8Array(width * height).fill(1);
  const wall = (x, y) => { cells[y * width + x] = 0; };
  const [left, right, top, bottom] = [Math.round(width * 0.3), Math.round(width * 0.7), Math.round(height * 0.2), Math.round(height * 0.8)];
  for (let x = left; x <= right; x++) { wall(x, top); wall(x, bottom); }
  for (let y = top; y <= bottom; y++) wall(right, y);
  return { name: "a dead end", cells, width, height, rule: "no-cut", costs: "sqrt2" };
}

/** Rooms with a door in each wall between two of them. */
function rooms(columns, rows, side) {
  const width = columns * (side + 1) + 1, height = rows * (side + 1) + 1, cells = new Uint8Array(width * height).fill(1);
  let seed = 7;
  const draw = (below) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % 65536 % below;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) if (x % (side + 1) === 0 || y % (side + 1) === 0) cells[y * width + x] = 0;
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
    const [x, y] = [column * (side + 1) + 1, row * (side + 1) + 1];
    if (column + 1 < columns && draw(5) > 0) cells[(y + draw(side)) * width + x + side] = 1;
    if (row + 1 < rows && (draw(5) > 0 || column === columns - 1)) cells[(y + side) * width + x + draw(side)] = 1;
  }
  return { name: "rooms", cells, width, height, rule: "no-cut", costs: "sqrt2" };
}

const dead = () => ({ world: cup(64, 48), start: { x: 30, y: 24 }, goal: { x: 58, y: 24 } });
const house = () => ({ world: rooms(9, 6, 9), start: { x: 3, y: 3 }, goal: { x: 86, y: 56 } });

/** Published figures and ours: docs/reproduce/reproduction.md has all of them, and the commands. */
const TOURS = [
  {
    title: "A dead end, and how LRTA* gets out of it",
    paper: "LRTA* as in “kNN LRTA*”, 2009, Table 1",
    words: ["LRTA* looks a few moves ahead and goes where the rest of the way seems shortest. In front of a wall that is as good as guessing.",
      "It raises the values of the states that it leaves. The heat shows them. It comes back again and again until the dead end is filled: it scrubs.",
      "No move takes more work than any other. The chart stays flat, whatever the map's size. That is the promise of real-time search, and this is its price."],
    figures: [{ what: "walks too long, 8 maps, 1,024 problems", published: "447.95 %", ours: "448.56 %" }],
    a: "lrta*(d=3)", b: "lrta*(d=9)",
    make: dead,
  },
  {
    title: "Subgoals of other walks: kNN LRTA*",
    paper: "kNN LRTA*, 2009, Table 1, 10,000 records",
    words: ["A database holds solved problems. The agent takes the one that is most like its own, and heads for its subgoals one by one.",
      "Turn “database” on and give the number of a record: its start, its goal and the subgoals between them are drawn.",
      "The dead end is the same. The walk does not enter it, if some record knows the way around."],
    figures: [{ what: "walks too long, 8 maps, 1,024 problems", published: "19.52 %", ours: "19.60 %" },
      { what: "2010, 60,000 records, mean of six maps of ten million states", published: "12.77 %", ours: "10.3 %" }],
    a: "lrta*(d=3)", b: "knn-lrta*(n=1000)", make: dead,
  },
  {
    title: "A subgoal for each pair of regions: D LRTA*",
    paper: "D LRTA* at level 6, 2009, Table 1",
    words: ["The map is divided into regions. For each pair of them a database knows where to go next.",
      "The cross is the subgoal of this move. Watch it jump when the agent enters another region.",
      "Small regions know better, and take more memory. Try level=3 in the field of the algorithm."],
    figures: [{ what: "walks too long, 8 maps, 1,024 problems", published: "22.57 %", ours: "22.66 %" },
      { what: "2008, LRTA*(PDB, PDB) at level 3 (the last digits of the published figure are lost)", published: "6.1 %", ours: "8.57 %" }],
    a: "lrta*(d=3)", b: "d-lrta*(level=3)", make: house,
  },
  {
    title: "A path on a coarse map, refined: PRA*",
    paper: "PRA*, 2005, Figures 5 to 7",
    words: ["Cells that lie together become one node, nodes become one node again: a pyramid of maps, each smaller than the one below.",
      "A path is found high up, where it is cheap, and refined level by level, only along the corridor that it leads through.",
      "Each patch of one colour is a node of one level. The field “level” has the others."],
    figures: [{ what: "paths within 1 % of the optimum", published: "98 %", ours: "98.47 %" }],
    a: "a*", b: "pra*", make: house, showsDatabase: true,
  },
  {
    title: "From corner to corner: beacon*",
    paper: "surefoot's own, the default",
    words: ["A cheapest path turns at corners of obstacles only. Each corner knows the corners that it sees, and which hubs lie on its ways.",
      "A walk looks around at its start and at its goal, and merges two short lists. They meet at the hub, which has a ring around it.",
      "After the first move there is nothing left to plan. Walks are optimal, and every move is bounded."],
    figures: [{ what: "walks too long, all 155,193 problems of four sets", published: "–", ours: "0 %" }],
    a: "pra*", b: "beacon*", make: house, showsDatabase: true,
  },
];

const text = (tag, words) => Object.assign(document.createElement(tag), { textContent: words });

/** Fills the tab. `go(tour)` shows a tour's problem in the tab of algorithms. */
export function startTours(go) {
  function open(number) {
    const tour = TOURS[number], card = $("tour");
    const figures = tour.figures.map(({ what, published, ours }) => {
      const line = document.createElement("p");
      line.append(`${what}: published `, text("b", published), ", ours ", text("b", ours), ".");
      return line;
    });
    const row = document.createElement("div");
    row.className = "row";
    const button = (words, act, isOff = false) => { const made = Object.assign(text("button", words), { type: "button", disabled: isOff }); made.onclick = act; row.append(made); };
    button("Before", () => open(number - 1), number === 0);
    button("Next", () => open(number + 1), number === TOURS.length - 1);
    button("End the tour", () => { card.hidden = true; });
    card.replaceChildren(text("h2", `${number + 1} of ${TOURS.length}: ${tour.title}`), ...tour.words.map((words) => text("p", words)), ...figures, row);
    card.hidden = false;
    const { world, start, goal } = tour.make();
    go({ number, world, start, goal, a: tour.a, b: tour.b, showsDatabase: tour.showsDatabase === true });
  }
  TOURS.forEach((tour, number) => {
    const card = document.createElement("article");
    card.className = "card";
    const button = Object.assign(text("button", "Look at it"), { type: "button" });
    button.onclick = () => open(number);
    const table = document.createElement("table");
    table.innerHTML = "<thead><tr><th></th><th>published</th><th>ours</th></tr></thead><tbody></tbody>";
    for (const { what, published, ours } of tour.figures) {
      const row = document.createElement("tr");
      row.append(text("th", what), text("td", published), text("td", ours));
      table.tBodies[0].append(row);
    }
    card.append(text("h2", tour.title), text("p", tour.words[0]), text("p", tour.paper), table, button);
    $("tours").append(card);
  });
  return { open, count: TOURS.length };
}
