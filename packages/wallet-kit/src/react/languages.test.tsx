import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { storageKey } from '../core/lib/storage.ts'
import { createScriptedKit, type ScriptedKitOptions } from '../testing/createScriptedKit.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import { metaMaskWallet } from '../wallets/table.ts'
import { renderPage } from './testing/renderPage.tsx'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const create = (options: Partial<ScriptedKitOptions> = {}) =>
  createScriptedKit({
    wallets: [{ groupName: 'Popular', wallets: [metaMaskWallet] }],
    installed: { 'io.metamask': {} },
    ...options,
  })

test.each([
  ['fr-CA', 'fr', 'Connecter un portefeuille', 'Connecter un portefeuille'],
  ['pt-PT', 'pt-BR', 'Conectar carteira', 'Conectar uma carteira'],
  ['zh-Hant', 'zh-TW', '連結錢包', '連結錢包'],
  ['zh-MO', 'zh-HK', '連接錢包', '連接錢包'],
])('%s: button and dialog are in %s', async (tag, locale, button, title) => {
  const page = renderPage(create(), { locale: tag })
  expect(screen.getByRole('button', { name: button }).closest('[lang]')?.getAttribute('lang')).toBe(locale)
  await page.user.click(screen.getByRole('button', { name: button }))
  const dialog = await screen.findByRole('dialog', { name: title })
  expect([dialog.lang, dialog.dir]).toEqual([locale, 'ltr'])
})

test('Arabic is right to left; addresses and amounts are not, wallet names keep their direction', async () => {
  const storage = memoryStorage({
    [storageKey('connection')]: JSON.stringify({ walletId: 'metaMask', kind: 'injected', address, chainId: 56 }),
  })
  const page = renderPage(create({ storage, installed: { 'io.metamask': { authorized: true } } }), { locale: 'ar' })
  await waitFor(() => expect(page.kit.getState().status).toBe('connected'))
  const button = await screen.findByRole('button', { name: /0xd8…6045/ })
  expect(button.closest('[lang]')?.getAttribute('dir')).toBe('rtl')
  await page.user.click(button)
  const dialog = await screen.findByRole('dialog', { name: 'الحساب' })
  expect([dialog.lang, dialog.dir]).toEqual(['ar', 'rtl'])
  expect(screen.getByRole('group', { name: 'العنوان الكامل' }).dir).toBe('ltr')
})

test('directional icons are mirrored in Arabic', async () => {
  const page = renderPage(create(), { locale: 'ar' })
  await page.user.click(screen.getByRole('button', { name: 'ربط المحفظة' }))
  await screen.findByRole('dialog')
  await act(async () => page.kit.dispatch({ type: 'get' }))
  const back = await screen.findByRole('button', { name: 'رجوع' })
  expect(getComputedStyle(back.querySelector('svg') as SVGElement).transform).toBe('scaleX(-1)')
  const close = screen.getByRole('button', { name: 'إغلاق' }).querySelector('svg') as SVGElement
  expect(getComputedStyle(close).transform).not.toBe('scaleX(-1)')
})

test('custom texts for one language apply only there', async () => {
  const messages = { close: 'Done', de: { connectWallet: 'Mitmachen', connectAWallet: 'Mit einer Wallet mitmachen' } }
  const page = renderPage(create(), { locale: 'de', messages })
  await page.user.click(screen.getByRole('button', { name: 'Mitmachen' }))
  await screen.findByRole('dialog', { name: 'Mit einer Wallet mitmachen' })
  await screen.findByRole('button', { name: 'Done' })
  page.update({ locale: 'fr' })
  expect(screen.getByText('Connecter un portefeuille', { selector: 'button' })).toBeTruthy()
  await screen.findByRole('dialog', { name: 'Connecter un portefeuille' })
  await screen.findByRole('button', { name: 'Done' })
})

test('while another language is loading, the dialog keeps its texts and direction', async () => {
  const page = renderPage(create(), { locale: 'en' })
  await page.user.click(screen.getByRole('button', { name: 'Connect Wallet' }))
  const dialog = await screen.findByRole('dialog', { name: 'Connect a Wallet' })
  page.update({ locale: 'ar' })
  expect([dialog.lang, dialog.dir, document.querySelector('[role="dialog"]')]).toEqual(['en', 'ltr', dialog])
  await waitFor(() => expect([dialog.lang, dialog.dir]).toEqual(['ar', 'rtl']))
  expect(document.querySelector('[role="dialog"]')).toBe(dialog)
})
