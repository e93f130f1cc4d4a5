import type { ForestMemory } from '../types.ts'
import type { ForestData } from './forestData.ts'

/** Returns the memory of a forest by part, in bytes. */
export function memoryOf({
  nodes,
  slots,
  addresses,
  prefixes,
  timeline,
  amounts,
  irregularBinds,
  moves,
}: ForestData): ForestMemory {
  const parts = {
    nodes: nodes.bytes,
    ...addresses.bytes,
    order: prefixes.bytes,
    ...slots.bytes,
    ownVolume: nodes.ownVolume.bytes,
    rewards: nodes.rewards.bytes,
    timeline: timeline.bytes,
    amounts: amounts.bytes,
    irregularBinds: irregularBinds.bytes,
    moves: moves.bytes,
  }
  const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  return { ...parts, total, perMember: total / Math.max(1, nodes.length) }
}
