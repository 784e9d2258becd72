// Places of texts in a plot: none lies on another, on the line of the present, or outside.

const overlap = (a, b) => a.l < b.r && a.r > b.l && a.t < b.b && a.b > b.t;

/**
 * Chooses a place for each text: the first of its places that is free and lies inside, or none.
 *
 * wanted: [{ places: [{ l, r, t, b }, …] }, …], the most important first
 * taken: boxes that are not free
 */
export const placed = (wanted, taken, inside) => {
  const all = [...taken];
  return wanted.map(({ places }) => {
    const free = places.find((box) => box.l >= inside.l && box.r <= inside.r && box.t >= inside.t && box.b <= inside.b && !all.some((other) => overlap(box, other)));
    if (free) {
      all.push(free);
    }
    return free || null;
  });
};

/** Distances between two lines of a grid: whole numbers that are easily read, or powers of two for sizes. */
export const distances = (unit) =>
  unit === 'bytes'
    ? Array.from({ length: 51 }, (_, i) => 2 ** i)
    : Array.from({ length: 16 }, (_, i) => [1, 2, 5].map((n) => n * 10 ** i)).flat();
