// A map on a canvas: panned, zoomed, clicked, and gone over by keys.

const probe = document.createElement("i");
probe.hidden = true;
document.documentElement.append(probe);

/** The colour that a name of style.css stands for now. */
export function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

const parts = (name) => colour(name).match(/[\d.]+/g).slice(0, 3).map(Number);

export class MapView {
  world = null; cursor = { x: 0, y: 0 };
  #canvas; #context; #base = new OffscreenCanvas(1, 1); #scale = 1; #left = 0; #top = 0;
  #asked = false; #pointers = new Map(); #isPinched = false; #handlers; #isFitted = true; #size = "";

  /** `handlers`: draw(context, view), down(cell, event), move(cell, event, by), up(cell, event), cancel(); each may be missing. */
  constructor(canvas, handlers) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#handlers = handlers;
    new ResizeObserver(() => this.#resize()).observe(canvas);
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    for (const name of ["focus", "blur"]) canvas.addEventListener(name, () => this.redraw());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get ratio() { return devicePixelRatio || 1; }
  /** How many pixels of the screen a cell is wide. */
  get scale() { return this.#scale; }

  setWorld(world) {
    const size = `${world.width} × ${world.height}`, isOther = this.#size !== size;
    [this.world, this.#size] = [world, size];
    this.paint();
    if (isOther) {
      this.cursor = { x: world.width >> 1, y: world.height >> 1 };
      // A canvas that is not seen fits it when it is.
      this.#isFitted = true;
      this.fit();
    }
  }

  /** Paints all cells anew: after another map, or other colours. */
  paint() {
    if (!this.world) return;
    const { cells, width, height } = this.world;
    this.#base.width = width; this.#base.height = height;
    const context = this.#base.getContext("2d"), image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const word = ([red, green, blue]) => (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
    const floor = word(parts("floor")), wall = word(parts("wall"));
    for (let at = 0; at < pixels.length; at++) pixels[at] = cells[at] ? floor : wall;
    context.putImageData(image, 0, 0);
    this.redraw();
  }

  paintCells(cells, free) {
    const context = this.#base.getContext("2d");
    context.fillStyle = colour(free ? "floor" : "wall");
    for (let at = 0; at < cells.length; at += 2) context.fillRect(cells[at], cells[at + 1], 1, 1);
    this.redraw();
  }

  fit() {
    const { clientWidth, clientHeight } = this.#canvas;
    if (!this.world || !clientWidth) return;
    this.#scale = Math.min(clientWidth / this.world.width, clientHeight / this.world.height);
    this.#left = (clientWidth - this.world.width * this.#scale) / 2;
    this.#top = (clientHeight - this.world.height * this.#scale) / 2;
    this.#isFitted = true;
    this.redraw();
  }

  zoom(factor, x = this.#canvas.clientWidth / 2, y = this.#canvas.clientHeight / 2) {
    const least = 0.2, most = 64, before = this.#scale;
    this.#scale = Math.min(most, Math.max(least, before * factor));
    const by = this.#scale / before;
    this.#isFitted = false;
    this.#left = x - (x - this.#left) * by;
    this.#top = y - (y - this.#top) * by;
    this.redraw();
  }

  pan(x, y) {
    if (!x && !y) return;
    this.#left += x; this.#top += y;
    this.#isFitted = false;
    this.redraw();
  }

  /** The cell under a point of the canvas. It may lie outside of the map. */
  cellAt(x, y) { return { x: Math.floor((x - this.#left) / this.#scale), y: Math.floor((y - this.#top) / this.#scale) }; }
  /** The middle of a cell on the canvas. */
  pointOf(x, y) { return { x: this.#left + (x + 0.5) * this.#scale, y: this.#top + (y + 0.5) * this.#scale }; }
  contains({ x, y }) { return x >= 0 && y >= 0 && x < this.world.width && y < this.world.height; }
  isFree({ x, y }) { return this.contains({ x, y }) && this.world.cells[y * this.world.width + x] !== 0; }

  redraw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => { this.#asked = false; this.#draw(); });
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#canvas, ratio = this.ratio;
    if (!clientWidth) return;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    // Until somebody looks closer, all of it is seen.
    if (this.#isFitted) this.fit(); else this.redraw();
  }

  #draw() {
    const context = this.#context, ratio = this.ratio;
    if (!this.world) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colour("wall");
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    // One unit is a cell from here on.
    context.setTransform(this.#scale * ratio, 0, 0, this.#scale * ratio, this.#left * ratio, this.#top * ratio);
    context.imageSmoothingEnabled = this.#scale * ratio < 1;
    context.drawImage(this.#base, 0, 0);
    this.#handlers.draw?.(context, this);
    if (document.activeElement === this.#canvas && this.#canvas.matches(":focus-visible")) {
      const { x, y } = this.cursor;
      context.strokeStyle = colour("accent");
      context.lineWidth = 2 / this.#scale;
      context.strokeRect(x, y, 1, 1);
      context.beginPath();
      const reach = Math.max(1, 12 / this.#scale);
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + 0.5 + dx * 0.5, y + 0.5 + dy * 0.5);
        context.lineTo(x + 0.5 + dx * reach, y + 0.5 + dy * reach);
      }
      context.stroke();
    }
  }

  #down(event) {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.#pointers.size > 1) {
      // What the first finger began was no click and no stroke.
      if (!this.#isPinched) this.#handlers.cancel?.();
      this.#isPinched = true;
      return;
    }
    if (event.button !== 0) return;
    this.#handlers.down?.(this.cellAt(event.offsetX, event.offsetY), event);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.offsetX, y: event.offsetY };
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size === 2) {
      // Two fingers: the middle moves the map, and how far they are apart is the zoom.
      const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const far = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.zoom(far(now) / far(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    } else if (this.#isPinched || event.buttons & 6) {
      this.pan(now.x - before.x, now.y - before.y);
    } else {
      this.#handlers.move?.(this.cellAt(now.x, now.y), event, { x: now.x - before.x, y: now.y - before.y });
    }
  }

  #up(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#pointers.size) return;
    if (this.#isPinched || event.button > 0 || event.type === "pointercancel") {
      this.#isPinched = false;
      this.#handlers.cancel?.();
      return;
    }
    this.#handlers.up?.(this.cellAt(event.offsetX, event.offsetY), event);
  }

  #key(event) {
    if (!this.world || event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 8 : 1;
    const by = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[event.key];
    if (by) {
      const inside = (value, size) => Math.min(size - 1, Math.max(0, value));
      this.cursor = { x: inside(this.cursor.x + by[0], this.world.width), y: inside(this.cursor.y + by[1], this.world.height) };
      const { x, y } = this.pointOf(this.cursor.x, this.cursor.y), { clientWidth, clientHeight } = this.#canvas;
      this.redraw();
      // The cross stays in sight.
      this.pan(Math.max(20 - x, 0) + Math.min(clientWidth - 20 - x, 0), Math.max(20 - y, 0) + Math.min(clientHeight - 20 - y, 0));
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter") {
      this.#handlers.down?.(this.cursor, event);
      this.#handlers.up?.(this.cursor, event);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
