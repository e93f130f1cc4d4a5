import type { ByteShare } from './byteBudget.ts'

/** Largest number of bytes of a node's answer. */
const answerLimit = 1024 * 1024

export type ReadAnswerReturnType =
  | { status: 'read'; text: string; bytes: number }
  | { status: 'too_large'; bytes: number }
  | { status: 'visitor_full' | 'server_full' }

/**
 * Reads a node's answer as text. Stops once it exceeds the limit or the budget. `readText` of the kit knows no budget,
 * which is taken for each chunk.
 */
export async function readAnswer(response: Response, share: Pick<ByteShare, 'take'>): Promise<ReadAnswerReturnType> {
  const announced = Number(response.headers.get('content-length') ?? 0)
  if (announced > answerLimit) {
    await response.body?.cancel()
    return { status: 'too_large', bytes: answerLimit }
  }
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > answerLimit) return { status: 'too_large', bytes: answerLimit }
    const taken = share.take(chunk.length)
    if (taken !== 'taken') return { status: taken }
    text += decoder.decode(chunk, { stream: true })
  }
  return { status: 'read', text: text + decoder.decode(), bytes }
}
