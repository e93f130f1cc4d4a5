/** Reads a stream with one JSON value per line. @throws when a line is longer than `limit` characters */
export async function* readLines<Line>(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  let length = 0
  for await (const chunk of body) {
    const [end = '', ...starts] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(end)
    length += end.length
    if (length > limit) throw new Error(`The indexer sent a line of more than ${limit} characters.`)
    for (const start of starts) {
      yield JSON.parse(parts.join('')) as Line
      parts = [start]
      length = start.length
    }
  }
}
