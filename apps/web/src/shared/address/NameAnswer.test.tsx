import { createReferralClient } from '@lineage/referral-api'
import { createWalletKit } from '@lineage/wallet-kit/core'
import { memoryStorage } from '@lineage/wallet-kit/testing'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { custom, decodeFunctionData, encodeFunctionResult, namehash, parseAbi } from 'viem'
import { bsc } from 'viem/chains'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeApi } from '../../../test/fakeApi.ts'
import { addressOf } from '../../../test/forest.ts'
import { serve } from '../../../test/serve.ts'
import { createQueryClient } from '../../lib/api.ts'
import { createI18n, loadLaterTexts } from '../../lib/i18n.ts'
import { Providers } from '../../providers.tsx'
import { AddressField } from './AddressField.tsx'
import { formatInGroups } from './parseAddress.ts'

const owner = addressOf(1)
const records = parseAbi([
  'function resolver(bytes32) view returns (address)',
  'function addr(bytes32) view returns (address)',
])

/** Renders the field with a kit whose node resolves only alice.bnb. */
async function setup({ bnb = true } = {}) {
  const node = { state: 'ready' as 'ready' | 'away' }
  const request = async ({ params }: { params: [{ to: string; data: `0x${string}` }] }) => {
    if (node.state === 'away') throw new Error('No node.')
    const { functionName, args } = decodeFunctionData({ abi: records, data: params[0].data })
    const isKnown = args[0] === namehash('alice.bnb')
    const result = isKnown ? owner : '0x0000000000000000000000000000000000000000'
    return encodeFunctionResult({ abi: records, functionName, result })
  }
  const kit = createWalletKit({
    appName: 'Test',
    chains: [{ ...bsc, contracts: {} }],
    transports: { [bsc.id]: custom({ request }, { retryCount: 0 }) },
    wallets: [
      { groupName: 'Popular', wallets: [{ id: 'a', name: 'A', iconUrl: '', iconBackground: '#fff', connectors: [] }] },
    ],
    storage: memoryStorage(),
    names: { bnb },
  })
  onTestFinished(() => kit.destroy())
  const i18n = await createI18n('en')
  await loadLaterTexts(i18n)
  const onAddress = vi.fn()
  const { url, close } = await serve(createFakeApi({ demo: false, names: { service: false, bnb } }).handle)
  onTestFinished(close)
  const api = createReferralClient({ baseUrl: `${url}/v1` })
  await act(async () =>
    render(
      <Providers i18n={i18n} api={api} queryClient={createQueryClient()} kit={kit}>
        <MemoryRouter>
          <AddressField text="" onAddress={onAddress} autoFocus />
        </MemoryRouter>
      </Providers>,
    ),
  )
  return { node, onAddress, field: screen.getByRole<HTMLInputElement>('textbox', { name: 'Address' }) }
}

test('behavior: a name shows its full address; Enter looks it up, nothing happens before', async () => {
  const { field, onAddress } = await setup()
  await userEvent.keyboard('Alice.bnb')
  expect(await screen.findByText(formatInGroups(owner))).toBeTruthy()
  expect(screen.getByText(/alice.bnb resolves to/).closest('[role="status"]')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('false')
  expect(onAddress).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(onAddress.mock.calls).toEqual([[owner]])
  expect(field.value).toBe(owner)
})

test('behavior: the button looks it up too; another name clears the result', async () => {
  const { onAddress } = await setup()
  await userEvent.keyboard('alice.bnb')
  await screen.findByRole('button', { name: 'Look up this address' })
  await userEvent.keyboard('{Backspace}{Enter}')
  expect(onAddress).not.toHaveBeenCalled()
  await userEvent.keyboard('b')
  await userEvent.click(await screen.findByRole('button', { name: 'Look up this address' }))
  expect(onAddress.mock.calls).toEqual([[owner]])
})

test('behavior: a name without an address, and a name that is not .bnb', async () => {
  const { onAddress } = await setup()
  await userEvent.keyboard('bob.bnb')
  expect(await screen.findByText(/No address found for bob.bnb/)).toBeTruthy()
  await userEvent.clear(screen.getByRole('textbox'))
  await userEvent.keyboard('vitalik.eth{Enter}')
  expect(await screen.findByText(/Only .bnb names are supported/)).toBeTruthy()
  expect(onAddress.mock.calls).toEqual([])
})

test('error: no node responds; Retry looks the name up again', async () => {
  const { node } = await setup()
  node.state = 'away'
  await userEvent.keyboard('alice.bnb')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  node.state = 'ready'
  await userEvent.click(retry)
  await waitFor(() => expect(screen.getByText(formatInGroups(owner))).toBeTruthy())
})

test('behavior: says when names are not configured', async () => {
  await setup({ bnb: false })
  await userEvent.keyboard('alice.bnb')
  expect(await screen.findByText(/Names are not supported here/)).toBeTruthy()
})
