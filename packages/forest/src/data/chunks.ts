import { grownArray } from '../lib/columns.ts'

/** Rows are grouped in chunks of 128, and a search skips chunks by their extremes. */
export const chunkBits = 7
const lastInChunk = (1 << chunkBits) - 1
const noJoin = 0xffff_ffff

/** Extremes of a value, such as the team, in each chunk of slots. Between two snapshots they only widen. */
export type ChunkExtremes = {
  largest: Float64Array
  /** Smallest join index of a slot with value 0. */
  firstOfZero: Uint32Array
}

/** Returns how many chunks a column of `rows` rows has room for. */
export function chunkCount(rows: number): number {
  return (rows >>> chunkBits) + 1
}

/** Returns the first row of the next chunk. */
export function chunkEnd(row: number): number {
  return (row | lastInChunk) + 1
}

export function createChunkExtremes(rows: number): ChunkExtremes {
  const chunks = chunkCount(rows)
  return { largest: new Float64Array(chunks), firstOfZero: new Uint32Array(chunks).fill(noJoin) }
}

export function growChunkExtremes({ largest, firstOfZero }: ChunkExtremes, rows: number): ChunkExtremes {
  const chunks = chunkCount(rows)
  return {
    largest: grownArray(largest, chunks),
    firstOfZero: grownArray(firstOfZero, chunks).fill(noJoin, largest.length),
  }
}

/** Widens the extremes of the slot's chunk by the slot's value. */
export function includeValue(extremes: ChunkExtremes, slot: number, value: number, joinIndex: number): void {
  const { largest, firstOfZero } = extremes
  const chunk = slot >>> chunkBits
  if (value > (largest[chunk] as number)) largest[chunk] = value
  if (value === 0 && joinIndex < (firstOfZero[chunk] as number)) firstOfZero[chunk] = joinIndex
}
