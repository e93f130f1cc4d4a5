import type { EIP1193RequestFn, HttpTransport } from 'viem'

/** Returns viem's `http(url)`, whose code is loaded with the first request. */
export function httpTransport(url: string): HttpTransport {
  return (parameters) => {
    const request = (async (...args: Parameters<EIP1193RequestFn>) => {
      const { http } = await import('./http.ts')
      return http(url)(parameters).request(...args)
    }) as EIP1193RequestFn
    return { config: { key: 'http', name: 'HTTP JSON-RPC', type: 'http', request }, request, value: { url } }
  }
}
