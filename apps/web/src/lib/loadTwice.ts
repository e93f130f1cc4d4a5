/** Milliseconds before the second try. */
const pause = 1_000

/** Loads a script, and tries once more after a second, because a weak connection loses single requests. */
export const loadTwice = <module>(load: () => Promise<module>): Promise<module> =>
  load().catch(() => new Promise((resolve) => setTimeout(resolve, pause)).then(load))
