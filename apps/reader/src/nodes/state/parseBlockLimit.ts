/**
 * Parses from a node's error how many blocks one `eth_getLogs` request may cover. Returns `undefined` if it names no
 * such number: some nodes name none, and some limit the number of logs instead.
 *
 * @param blocks Number of requested blocks.
 */
export function parseBlockLimit(message: string, blocks: number): number | undefined {
  return numbersIn(message).findLast((number) => number >= 2 && number < blocks)
}

function numbersIn(message: string): number[] {
  const [, from, to] = /\[\s*(0x[0-9a-f]{1,14}),\s*(0x[0-9a-f]{1,14})\s*\]/i.exec(message) ?? []
  if (from && to) return [Number(to) - Number(from) + 1]
  if (/results|logs matched|response size|bytes|items/i.test(message)) return []
  return [...message.matchAll(limits)].map(([, digits = '', thousands]) => {
    return Number(digits.replaceAll(/[,_.]/g, '')) * (thousands ? 1_000 : 1)
  })
}

/**
 * Matches "up to a 10 block range", "maximum is set to 5000", "limited to 1,000", "max is 10k blocks", "(5000 >
 * 1000)".
 */
const limits = /(?:max|limit|up to|exceed|at most|greater than|over|distance|>)[^\d[\]]{0,60}(\d[\d,_.]{0,12})(k\b)?/gi
