import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Build, buildPage } from '../lib/builds.ts'
import type { Target } from './watchPage.ts'

/** Elements of a page to click and to wait for. */
export type Targets = {
  button: Target
  /** A row: the dialog is usable once it is painted. */
  row: Target
  /** The row of the MetaMask wallet in the page. */
  walletRow: Target
  address: Target
  /** Button that closes the dialog if Escape does not. */
  close?: Target
}

const folder = join(import.meta.dirname, '../../rivals')
const button = { css: 'button', text: '^connect' }
const address = { css: 'button', text: '0xf3' }
const appKitList = 'w3m-modal >>> w3m-router >>> w3m-connect-view >>> w3m-wallet-login-list >>> w3m-connector-list'

/** Pages of other kits, each a folder of `rivals`. `a >>> b` means b in the shadow root of a. */
export const rivals: Record<string, Targets> = {
  rainbowkit: {
    ...{ button, address },
    row: { css: '[data-testid^="rk-wallet-option-"]' },
    walletRow: { css: '[data-testid="rk-wallet-option-io.metamask"]' },
    close: { css: '[role=dialog] [aria-label=Close]' },
  },
  connectkit: {
    ...{ button, address },
    row: { css: '#__CONNECTKIT__ button', text: 'metamask' },
    walletRow: { css: '#__CONNECTKIT__ button', text: '^metamask' },
    close: { css: '#__CONNECTKIT__ [aria-label=Close]' },
  },
  appkit: {
    button: { css: 'appkit-button', text: 'connect' },
    address: { css: 'appkit-button', text: '0xf3' },
    row: { css: `${appKitList} >>> w3m-list-wallet` },
    walletRow: { css: `${appKitList} >>> [data-testid="wallet-selector-io.metamask"]` },
    close: { css: 'w3m-modal >>> w3m-header >>> [data-testid=w3m-header-close]' },
  },
  onboard: {
    ...{ button, address },
    row: { css: 'onboard-v2 >>> .wallet-button-styling' },
    walletRow: { css: 'onboard-v2 >>> .wallet-button-styling', text: 'metamask' },
    close: { css: 'onboard-v2 >>> .close-button' },
  },
  thirdweb: {
    ...{ button, address },
    row: { css: '.tw-wallet-select-wallet-button' },
    walletRow: { css: '.tw-wallet-select-wallet-button', text: 'metamask' },
    close: { css: '[role=dialog] [aria-label=Close]' },
  },
}

/** Builds the page of another kit with Vite's defaults. Install `rivals` first. */
export async function buildRival(name: string, outDir: string, rpcUrl: string): Promise<Build> {
  if (!existsSync(join(folder, name, 'node_modules')))
    throw new Error('The pages of other kits are not installed: pnpm -C rivals install --frozen-lockfile')
  return buildPage(join(folder, name), 'index.html', outDir, rpcUrl)
}
