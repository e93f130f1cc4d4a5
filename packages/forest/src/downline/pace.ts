import type { ForestData } from '../data/forestData.ts'
import type { Slices } from '../types.ts'
import type { Past } from './past.ts'

/** Pauses after each slice. */
export class Pace {
  private readonly steps: number
  private readonly past: Past
  private left: number

  constructor({ tuning }: ForestData, past: Past) {
    this.steps = tuning.sliceSteps
    this.past = past
    this.left = this.steps
  }

  isSpent(steps: number): boolean {
    this.left -= steps
    return this.left <= 0
  }

  *pause(): Slices<void> {
    yield
    this.left = this.steps
    this.past.requireSameRows()
  }
}
