import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { announceWallet } from '../../testing/announceWallet.ts'
import { createScriptedKit } from '../../testing/createScriptedKit.ts'
import { createScriptedWallet } from '../../testing/createScriptedWallet.ts'
import { metaMaskWallet } from '../../wallets/table.ts'
import { renderPage } from '../testing/renderPage.tsx'

async function openDialog(info: { name: string; icon?: string }) {
  const { provider } = createScriptedWallet()
  onTestFinished(announceWallet({ info: { rdns: 'example.evil', ...info }, provider }))
  const page = renderPage(createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }] }))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  return { ...page, dialog: await screen.findByRole('dialog', { name: 'Connect a Wallet' }) }
}

test('a script in an icon stays inside an image', async () => {
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>"
  const { dialog } = await openDialog({ name: 'Evil', icon })
  const row = within(dialog).getByRole('button', { name: 'Evil' })
  expect(row.querySelector('img')?.getAttribute('src')).toBe(icon)
  expect(document.querySelector('dialog script, [role=dialog] script, [onload]')).toBeNull()
})

test('an icon that cannot be drawn is replaced by the initial', async () => {
  const { dialog } = await openDialog({ name: 'Evil', icon: 'data:image/png;base64,AAAA' })
  const row = within(dialog).getByRole('button', { name: 'Evil' })
  fireEvent.error(row.querySelector('img') as HTMLImageElement)
  expect(row.textContent).toMatch(/^E/)
})

test('markup in a name is shown as text', async () => {
  const name = '<img src=x onerror=alert(1)>'
  const { dialog, user, kit } = await openDialog({ name })
  await user.click(within(dialog).getByRole('button', { name }))
  await waitFor(() => expect(kit.getState().status).toBe('connected'))
  expect(document.querySelector('[onerror]')).toBeNull()
})

test('a wallet’s error is shown as text and shortened', async () => {
  const error = new Error(`<script>alert(1)</script>${'z'.repeat(10_000)}`)
  const { provider } = createScriptedWallet({ behaviours: { eth_requestAccounts: { error } } })
  onTestFinished(announceWallet({ info: { name: 'Evil', rdns: 'example.evil' }, provider }))
  const page = renderPage(createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }] }))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  await page.user.click(within(dialog).getByRole('button', { name: 'Evil' }))
  await screen.findByRole('heading', { name: 'Could not connect to Evil' })
  expect(dialog.querySelector('script')).toBeNull()
  expect(dialog.textContent?.match(/z+/)?.[0].length).toBeLessThan(200)
})

test('a wallet’s error contains no direction characters', async () => {
  const error = new Error('\u202eno\u0000 keys\u2066')
  const { provider } = createScriptedWallet({ behaviours: { eth_requestAccounts: { error } } })
  onTestFinished(announceWallet({ info: { name: 'Evil', rdns: 'example.evil' }, provider }))
  const page = renderPage(createScriptedKit({ wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }] }))
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  await page.user.click(within(dialog).getByRole('button', { name: 'Evil' }))
  await waitFor(() => expect(dialog.textContent).toContain('The wallet said: “no keys”'))
})
