/**
 * How many blocks a node says it answers logs of at once; `undefined` where its words name no such number, because they
 * are of another node's making or because it is the number of logs that was too great.
 *
 * @param span How many blocks it was asked for.
 */
export function allowedRange(message: string, span: number): number | undefined {
  const [, from, to] = /\[\s*(0x[0-9a-f]{1,14}),\s*(0x[0-9a-f]{1,14})\s*\]/i.exec(message) ?? []
  const numbers =
    from && to
      ? [Number(to) - Number(from) + 1]
      : /results|logs matched|response size|bytes|items/i.test(message)
        ? []
        : [...message.matchAll(limits)].map(([, digits = '', thousands]) => {
            return Number(digits.replaceAll(/[,_.]/g, '')) * (thousands ? 1_000 : 1)
          })
  return numbers.findLast((number) => number >= 2 && number < span)
}

/** "up to a 10 block range", "maximum is set to 5000", "limited to 1,000", "max is 10k blocks", "(5000 > 1000)". */
const limits = /(?:max|limit|up to|exceed|at most|greater than|over|distance|>)[^\d[\]]{0,60}(\d[\d,_.]{0,12})(k\b)?/gi
