import { createRedactor } from '@lineage/communities'

export type Log = (message: string, level?: 'info' | 'warn' | 'error') => void

/** Creates a log that prints one line for each message, without the secrets of these URLs. */
export function createLog(format: 'text' | 'json', urls: readonly string[]): Log {
  const hide = createRedactor({ urls })
  return (text, level = 'info') => {
    const message = hide(text)
    const line =
      format === 'json'
        ? JSON.stringify({
            time: new Date().toISOString(),
            level,
            message: message.replaceAll(/\s+/g, ' ').slice(0, 1_000),
          })
        : message
    const stream = level !== 'info' && format === 'text' ? process.stderr : process.stdout
    stream.write(`${line}\n`)
  }
}
