import type { EIP1193RequestFn, HttpTransport } from 'viem'
import { createLazy } from '../lib/promises.ts'

/** Returns viem's `http(url)`, whose code loads with the first request. */
export function httpTransport(url: string): HttpTransport {
  return (parameters) => {
    const { retryCount = 3, timeout = 10_000 } = parameters
    // One transport for all requests, because viem deduplicates concurrent requests per transport.
    const { load } = createLazy(async () => (await import('./http.ts')).http(url)(parameters))
    const request = (async (...args: Parameters<EIP1193RequestFn>) =>
      (await load()).request(...args)) as EIP1193RequestFn
    const config = {
      key: 'http',
      name: 'HTTP JSON-RPC',
      type: 'http',
      request,
      retryCount,
      retryDelay: 150,
      timeout,
    } as const
    return { config, request, value: { url } }
  }
}
