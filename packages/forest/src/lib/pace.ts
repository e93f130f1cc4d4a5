import type { Slices } from '../types.ts'

/** Pauses an answer after each slice. */
export class Pace {
  /** Number of steps left in this slice. */
  left: number
  private readonly steps: number
  private readonly check: () => void

  /** @param check Called after each pause. It throws if what is being read has changed. */
  constructor(steps: number, check = () => {}) {
    this.steps = steps
    this.left = steps
    this.check = check
  }

  /** Counts steps. Returns whether the slice is used up. */
  spend(steps: number): boolean {
    this.left -= steps
    return this.left <= 0
  }

  *pause(): Slices<void> {
    yield
    this.left = this.steps
    this.check()
  }
}
