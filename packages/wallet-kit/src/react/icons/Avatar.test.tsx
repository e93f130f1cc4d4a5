import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WalletKit } from '../../core/WalletKit.ts'
import { createScriptedAuthentication } from '../../testing/createScriptedAuthentication.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { renderPage } from '../testing/renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

async function connect(open: (kit: WalletKit) => unknown) {
  const { kit } = renderPage(
    createScriptedKit({
      wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
      authentication: { adapter: createScriptedAuthentication(), required: false },
      installed: { 'io.metamask': {} },
    }),
    { avatar: ({ address, size }) => <img alt={`Drawn for ${address}`} width={size} height={size} /> },
  )
  await kit.connect({ walletId: 'metaMask' })
  open(kit)
}

test.each([
  ['button', () => screen.findByRole('button', { name: /0xd8…6045/ }), () => {}, 24],
  ['account dialog', () => screen.findByRole('dialog'), (kit: WalletKit) => kit.openAccountDialog(), 64],
  ['sign-in dialog', () => screen.findByRole('dialog'), (kit: WalletKit) => void kit.openSignInDialog(), 64],
])('the %s draws the app’s own avatar instead of the identicon', async (_, find, open, width) => {
  await connect(open)
  const place = await find()
  expect(await within(place).findByAltText(`Drawn for ${address}`)).toHaveProperty('width', width)
  expect(place.querySelector('svg[viewBox="-1 -1 7 7"]')).toBeNull()
})
