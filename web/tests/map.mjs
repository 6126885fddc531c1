// The map that the tests have in common with `crates/surefoot-web/examples/native.rs`: both have the formula.

/** Whether a cell is free: blocks of 8 x 8 cells, about a third with a wall to the east or to the south. */
export function isFree(x, y) {
  const [column, row] = [x >>> 3, y >>> 3];
  let mixed = (Math.imul(column, 2654435761) ^ Math.imul(row, 2246822519)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), 2246822519) >>> 0;
  const gap = (mixed >>> 20) & 7;
  const east = mixed % 3 === 0 && x % 8 === 7 && y % 8 !== gap;
  const south = mixed % 3 === 1 && y % 8 === 7 && x % 8 !== gap;
  return !east && !south;
}

/** The cells of such a map, one byte each. */
export function cells(side) {
  return Uint8Array.from({ length: side * side }, (_, i) => (isFree(i % side, Math.floor(i / side)) ? 1 : 0));
}

/** Ends of walks on it: [x0, y0, x1, y1]. */
export function ends(side) {
  const place = (number) => [(number * 37) % side, (number * 101) % side];
  const pairs = Array.from({ length: 1000 }, (_, number) => [...place(number), ...place(number + 12345)]);
  return pairs.filter(([x0, y0, x1, y1]) => isFree(x0, y0) && isFree(x1, y1));
}
