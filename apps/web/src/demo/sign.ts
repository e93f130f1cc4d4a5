import { type Hex, stringify } from 'viem'
import type { DemoSession } from './createSession.ts'
import { decodeMessage } from './decode.ts'
import { ProviderRpcError } from './errors.ts'
import { invalid, toAddress, toTypedData } from './requestParams.ts'

/** Handles `personal_sign`. */
export function signMessage(session: DemoSession, params: readonly unknown[]): Promise<Hex> {
  // Some apps pass the address first.
  const [message, address] = toAddress(params[0]) && !toAddress(params[1]) ? [params[1], params[0]] : params
  if (typeof message !== 'string') throw invalid('personal_sign needs a message and an address.')
  const decoded = decodeMessage(message)
  session.signerOf(address)
  return session.enqueue(async () => {
    const signer = session.signerOf(address)
    await session.approve({ kind: 'signMessage', account: signer.address, message: decoded })
    return signer.signMessage({ message: { raw: decoded.raw } })
  })
}

/** Handles `eth_signTypedData_v4`. */
export function signTypedData(session: DemoSession, [address, data]: readonly unknown[]): Promise<Hex> {
  const typedData = toTypedData(data)
  const { primaryType, domain, message } = typedData
  session.signerOf(address)
  return session.enqueue(async () => {
    const signer = session.signerOf(address)
    const current = session.getState().chainId
    if (domain?.chainId !== undefined && Number(domain.chainId) !== current)
      throw invalid(`The typed data is for chain ${domain.chainId}, and the demo wallet is on ${current}.`)
    await session.approve({
      kind: 'signTypedData',
      account: signer.address,
      primaryType,
      domainName: domain?.name,
      text: stringify({ domain, message }, null, 2),
    })
    try {
      return await signer.signTypedData(typedData)
    } catch (cause) {
      throw new ProviderRpcError('invalidParams', 'The typed data does not match its types.', cause)
    }
  })
}
