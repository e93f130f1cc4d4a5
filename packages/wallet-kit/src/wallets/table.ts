import { injectedConnector } from '../core/wallets/injected.ts'
import type { RelayLinks, WalletDefinition } from '../core/wallets/wallet.ts'
import { baseAccountConnector, coinbaseConnector } from './coinbase.ts'
import { safeConnector } from './safe.ts'
import { walletConnectConnector } from './walletConnect.ts'

// The table of wallets: those of China, those of the world, and those that are reached in a way of their own. A comment
// names the sources of the lines below it, up to the next comment, and the day when they were read:
//
//   RainbowKit    https://github.com/rainbow-me/rainbowkit
//   the explorer  https://explorer-api.walletconnect.com, as the package thirdweb 5.121.6 copies it

// Marked, so that bundlers leave out what an app does not use.
const onPage = [/* @__PURE__ */ injectedConnector()]
const overRelay = [/* @__PURE__ */ walletConnectConnector()]
const onPageOrRelay = [/* @__PURE__ */ injectedConnector(), /* @__PURE__ */ walletConnectConnector()]

// The links of an app whose own one is the same on both kinds of phones.
/* @__NO_SIDE_EFFECTS__ */
function onPhones(own: string, universal?: string): RelayLinks {
  return { ios: own, android: own, ...(universal && { universal }) }
}

/** Lists Binance Wallet, which is reached on the page and over the relay. @see https://www.binance.com/en/web3wallet */
export const binanceWallet: WalletDefinition<'binance'> = {
  id: 'binance',
  name: 'Binance Wallet',
  names: { 'zh-CN': '币安钱包', 'zh-TW': '幣安錢包' },
  shortName: 'Binance',
  iconUrl: async () => (await import('./icons/more.ts')).binance,
  iconBackground: '#000',
  iconAccent: '#f0b90b',
  // RainbowKit, read 2026-11-20. No openInWallet: since 2026-10-30 links from outside no longer open its browser.
  rdns: ['com.binance.wallet'],
  namespaces: ['binancew3w.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1436799971',
    android: 'https://play.google.com/store/apps/details?id=com.binance.dev',
    mobile: 'https://www.binance.com/en/download',
    chrome: 'https://chromewebstore.google.com/detail/cadiboklkpojfamcoggejbbdjcoiljjk',
    browserExtension: 'https://www.binance.com/en/web3wallet',
  },
  relayLinks: {
    ios: 'bnc://app.binance.com/cedefi/wc?uri={uri}',
    universal: 'https://app.binance.com/cedefi/wc?uri={uri}',
  },
  connectors: onPageOrRelay,
}

/** Lists OKX Wallet, which is reached on the page and over the relay. @see https://web3.okx.com */
export const okxWallet: WalletDefinition<'okx'> = {
  id: 'okx',
  name: 'OKX Wallet',
  names: { 'zh-CN': '欧易 OKX' },
  shortName: 'OKX',
  iconUrl: async () => (await import('./icons/more.ts')).okx,
  iconBackground: '#000',
  iconAccent: '#000',
  // RainbowKit, read 2026-11-20.
  rdns: ['com.okex.wallet'],
  flags: ['isOkxWallet'],
  namespaces: ['okxwallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1327268470',
    android: 'https://play.google.com/store/apps/details?id=com.okinc.okex.gp',
    mobile: 'https://www.okx.com/download',
    chrome: 'https://chromewebstore.google.com/detail/mcohilncbfahbmgdjkbpemcciiolgcge',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/pbpjkcldjiffchgbbndmhojiacbgflha',
    firefox: 'https://addons.mozilla.org/firefox/addon/okexwallet',
    browserExtension: 'https://www.okx.com/download',
  },
  relayLinks: { ios: 'okex://main/wc?uri={uri}' },
  // https://web3.okx.com/build/docs/waas/app-universal-link, read 2026-11-20. `okx://wallet/dapp/url?dappUrl=…`,
  // encoded.
  openInWallet: 'https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D{urlTwice}',
  connectors: onPageOrRelay,
}

/** Lists TokenPocket, which is reached on the page and over the relay. @see https://www.tokenpocket.pro */
export const tokenPocketWallet: WalletDefinition<'tokenPocket'> = {
  id: 'tokenPocket',
  name: 'TokenPocket',
  iconUrl: async () => (await import('./icons/more.ts')).tokenPocket,
  iconBackground: '#2980fe',
  iconAccent: '#2980fe',
  // RainbowKit, read 2026-11-20.
  rdns: ['pro.tokenpocket'],
  flags: ['isTokenPocket'],
  namespaces: ['tokenpocket.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6444625622',
    android: 'https://play.google.com/store/apps/details?id=vip.mytokenpocket',
    mobile: 'https://www.tokenpocket.pro/en/download/app',
    chrome: 'https://chromewebstore.google.com/detail/mfgccjchihfkkindfppnaooecgfneiii',
    browserExtension: 'https://extension.tokenpocket.pro',
  },
  relayLinks: onPhones('tpoutside://wc?uri={uri}'),
  // https://help.tokenpocket.pro/developer-en/wallet/pull-up-wallet-with-deeplink, read 2026-11-20. `{"url":"…"}`,
  // encoded.
  openInWallet: 'tpdapp://open?params=%7B%22url%22%3A%22{url}%22%7D',
  connectors: onPageOrRelay,
}

/** Lists imToken, which is reached on the page and over the relay. @see https://token.im */
export const imTokenWallet: WalletDefinition<'imToken'> = {
  id: 'imToken',
  name: 'imToken',
  iconUrl: async () => (await import('./icons/more.ts')).imToken,
  iconBackground: '#098de6',
  iconAccent: '#098de6',
  // RainbowKit, read 2026-11-20.
  rdns: ['im.token', 'im.token.app'],
  flags: ['isImToken'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1384798940',
    android: 'https://play.google.com/store/apps/details?id=im.token.app',
    mobile: 'https://token.im/download',
  },
  relayLinks: onPhones('imtokenv2://wc?uri={uri}'),
  // https://imtoken.gitbook.io/developers/products/deep-linking, read 2026-11-20.
  openInWallet: 'imtokenv2://navigate/DappView?url={url}',
  connectors: onPageOrRelay,
}

/** Lists Bitget Wallet, which is reached on the page and over the relay. @see https://web3.bitget.com */
export const bitgetWallet: WalletDefinition<'bitget'> = {
  id: 'bitget',
  name: 'Bitget Wallet',
  shortName: 'Bitget',
  iconUrl: async () => (await import('./icons/more.ts')).bitget,
  iconBackground: '#fff',
  iconAccent: '#00f0ff',
  // RainbowKit, read 2026-11-20.
  rdns: ['com.bitget.web3', 'com.bitget.web3wallet'],
  flags: ['isBitKeep'],
  namespaces: ['bitkeep.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1395301115',
    android: 'https://play.google.com/store/apps/details?id=com.bitkeep.wallet',
    mobile: 'https://web3.bitget.com/en/wallet-download',
    chrome: 'https://chromewebstore.google.com/detail/jiidiaalihmmhddjgbnbgdfflelocpak',
    browserExtension: 'https://web3.bitget.com/en/wallet-download',
  },
  relayLinks: { ios: 'bitkeep://wc?uri={uri}', universal: 'https://bkapp.vip/wc?uri={uri}' },
  // https://docs.bitkeep.com/en/docs/guide/mobile/Deeplink.html, read 2026-11-20.
  openInWallet: 'https://bkcode.vip?action=dapp&url={url}',
  connectors: onPageOrRelay,
}

/** Lists SafePal, which is reached on the page and over the relay. @see https://www.safepal.com */
export const safepalWallet: WalletDefinition<'safePal'> = {
  id: 'safePal',
  name: 'SafePal',
  iconUrl: async () => (await import('./icons/more.ts')).safePal,
  iconBackground: '#4a21ef',
  iconAccent: '#4a21ef',
  // RainbowKit, read 2026-11-20.
  rdns: ['com.safepal'],
  flags: ['isSafePal'],
  namespaces: ['safepalProvider'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1548297139',
    android: 'https://play.google.com/store/apps/details?id=io.safepal.wallet',
    mobile: 'https://www.safepal.com/download',
    chrome: 'https://chromewebstore.google.com/detail/lgmpcpglpngdoalbgeoldeajfclnhafa',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/apenkfbbpmhihehmihndmmcdanacolnh',
    firefox: 'https://addons.mozilla.org/firefox/addon/safepal-extension-wallet',
    browserExtension: 'https://www.safepal.com/download',
  },
  relayLinks: onPhones('safepalwallet://wc?uri={uri}', 'https://link.safepal.io/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists OneKey, which is reached on the page and over the relay. @see https://onekey.so */
export const oneKeyWallet: WalletDefinition<'oneKey'> = {
  id: 'oneKey',
  name: 'OneKey',
  iconUrl: async () => (await import('./icons/oneKey.ts')).default,
  iconBackground: '#44d62c',
  iconAccent: '#00b812',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['so.onekey.app.wallet'],
  namespaces: ['$onekey.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1609559473',
    android: 'https://play.google.com/store/apps/details?id=so.onekey.app.wallet',
    mobile: 'https://onekey.so/download',
    chrome: 'https://chromewebstore.google.com/detail/jnmbobjmhlngoefaiojfljckilhhlhcj',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/obffkkagpmohennipjokmpllocnlndac',
    browserExtension: 'https://onekey.so/download',
    desktop: 'https://onekey.so/download',
  },
  relayLinks: onPhones('onekey-wallet://wc?uri={uri}', 'https://app.onekey.so/wc/connect/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Bybit Wallet, which is reached on the page and over the relay. @see https://www.bybit.com/web3 */
export const bybitWallet: WalletDefinition<'bybit'> = {
  id: 'bybit',
  name: 'Bybit Wallet',
  shortName: 'Bybit',
  iconUrl: async () => (await import('./icons/bybit.ts')).default,
  iconBackground: '#000',
  iconAccent: '#f7a600',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.bybit'],
  namespaces: ['bybitWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1488296980',
    android: 'https://play.google.com/store/apps/details?id=com.bybit.app',
    mobile: 'https://www.bybit.com/en/web3',
    chrome: 'https://chromewebstore.google.com/detail/pdliaogehgdbhbnmkklieghmmjkpigpa',
    browserExtension: 'https://www.bybit.com/en/web3',
  },
  relayLinks: onPhones('bybitapp://open/route?targetUrl=by://web3/walletconnect/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Gate Wallet, which is reached on the page and over the relay. @see https://www.gate.com/web3 */
export const gateWallet: WalletDefinition<'gate'> = {
  id: 'gate',
  name: 'Gate Wallet',
  shortName: 'Gate',
  iconUrl: async () => (await import('./icons/gate.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#2354e6',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['io.gate.wallet'],
  namespaces: ['gatewallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1294998195',
    android: 'https://play.google.com/store/apps/details?id=com.gateio.gateio',
    mobile: 'https://www.gate.io/mobileapp',
    chrome: 'https://chromewebstore.google.com/detail/cpmkedoipcpimgecpmgpldfpohjplkpp',
    browserExtension: 'https://www.gate.io/web3',
  },
  relayLinks: { ios: 'gtweb3wallet://wc?uri={uri}' },
  connectors: onPageOrRelay,
}

/** Lists MathWallet, which is reached on the page and over the relay. @see https://mathwallet.org */
export const mathWallet: WalletDefinition<'math'> = {
  id: 'math',
  name: 'MathWallet',
  names: { 'zh-CN': '麦子钱包 MathWallet', 'zh-TW': '麥子錢包 MathWallet' },
  shortName: 'Math',
  iconUrl: async () => (await import('./icons/math.ts')).default,
  iconBackground: '#000',
  iconAccent: '#000',
  // the explorer, read 2026-11-27; RainbowKit, read 2026-11-27.
  flags: ['isMathWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1582612388',
    android: 'https://play.google.com/store/apps/details?id=com.mathwallet.android',
    mobile: 'https://mathwallet.org',
    chrome: 'https://chromewebstore.google.com/detail/afbcbjpbpfadlkmhmclhkeeodmamcflc',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/dfeccadlilpndjjohbjdblepmjeahlmm',
    browserExtension: 'https://mathwallet.org',
  },
  relayLinks: onPhones('mathwallet://wc?uri={uri}', 'https://www.mathwallet.org/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Bitpie, which is reached over the relay. @see https://bitpie.com */
export const bitpieWallet: WalletDefinition<'bitpie'> = {
  id: 'bitpie',
  name: 'Bitpie',
  names: { 'zh-CN': '比特派 Bitpie', 'zh-TW': '比特派 Bitpie' },
  iconUrl: async () => (await import('./icons/bitpie.ts')).default,
  iconBackground: '#1e6ce0',
  iconAccent: '#1e6ce0',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1481314229',
    mobile: 'https://bitpie.com/android',
  },
  relayLinks: onPhones('bitpiewc://wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists KuCoin Web3 Wallet, which is reached on the page and over the relay. @see https://www.kucoin.com/web3 */
export const kuCoinWallet: WalletDefinition<'kuCoin'> = {
  id: 'kuCoin',
  name: 'KuCoin Web3 Wallet',
  names: { 'zh-CN': '库币钱包 KuCoin', 'zh-TW': '庫幣錢包 KuCoin' },
  shortName: 'KuCoin',
  iconUrl: async () => (await import('./icons/kuCoin.ts')).default,
  iconBackground: '#24ae8f',
  iconAccent: '#01bc8d',
  // the explorer, read 2026-11-27; RainbowKit, read 2026-11-27.
  flags: ['isKuCoinWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1378956601',
    android: 'https://play.google.com/store/apps/details?id=com.kubi.kucoin',
    mobile: 'https://www.kucoin.com/download',
  },
  relayLinks: onPhones('kucoin:///wallet/walletConnect/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists FoxWallet, which is reached on the page and over the relay. @see https://foxwallet.com */
export const foxWallet: WalletDefinition<'fox'> = {
  id: 'fox',
  name: 'FoxWallet',
  iconUrl: async () => (await import('./icons/fox.ts')).default,
  iconBackground: '#10141c',
  iconAccent: '#10141c',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  namespaces: ['foxwallet.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1590983231',
    android: 'https://play.google.com/store/apps/details?id=com.foxwallet.play',
    mobile: 'https://foxwallet.com/download',
  },
  relayLinks: onPhones('foxwallet://wc?uri={uri}', 'https://link.foxwallet.com/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists HyperPay, which is reached on the page and over the relay. @see https://www.hyperpay.io */
export const hyperPayWallet: WalletDefinition<'hyperPay'> = {
  id: 'hyperPay',
  name: 'HyperPay',
  iconUrl: async () => (await import('./icons/hyperPay.ts')).default,
  iconBackground: '#1a5cff',
  iconAccent: '#1a5cff',
  // the explorer, read 2026-11-27; RainbowKit, read 2026-11-27.
  flags: ['isHyperPay'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1354755812',
    android: 'https://play.google.com/store/apps/details?id=com.legendwd.hyperpayW',
    mobile: 'https://www.hyperpay.io',
  },
  relayLinks: onPhones('hyperPay://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists ONTO, which is reached over the relay. @see https://onto.app */
export const ontoWallet: WalletDefinition<'onto'> = {
  id: 'onto',
  name: 'ONTO',
  iconUrl: async () => (await import('./icons/onto.ts')).default,
  iconBackground: '#48a3ff',
  iconAccent: '#48a3ff',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1436009823',
    android: 'https://play.google.com/store/apps/details?id=com.github.ontio.onto',
    mobile: 'https://onto.app',
  },
  relayLinks: onPhones('ontoprovider://wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Safeheron, which is reached on the page. @see https://www.safeheron.com */
export const safeheronWallet: WalletDefinition<'safeheron'> = {
  id: 'safeheron',
  name: 'Safeheron',
  iconUrl: async () => (await import('./icons/safeheron.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#3056d3',
  // RainbowKit, read 2026-11-27.
  flags: ['isSafeheron'],
  namespaces: ['safeheron'],
  downloadUrls: {
    chrome: 'https://chromewebstore.google.com/detail/aiaghdjafpiofpainifbgfgjfpclngoh',
    browserExtension: 'https://www.safeheron.com',
  },
  connectors: onPage,
}

/** Lists MetaMask, which is reached on the page and over the relay. @see https://metamask.io */
export const metaMaskWallet: WalletDefinition<'metaMask'> = {
  id: 'metaMask',
  name: 'MetaMask',
  iconUrl: () => import('./icons/popular.ts').then((icons) => icons.metaMask),
  iconBackground: '#fff',
  iconAccent: '#f6851b',
  // RainbowKit, read 2026-11-20. No flag: nearly every wallet sets isMetaMask.
  rdns: ['io.metamask', 'io.metamask.mobile', 'io.metamask.mmc'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1438144202',
    android: 'https://play.google.com/store/apps/details?id=io.metamask',
    mobile: 'https://metamask.io/download',
    chrome: 'https://chromewebstore.google.com/detail/nkbihfbeogaeaoehlefnkodbefgpgknn',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/ejbalbakoplchlghecdalmeeeajnimhm',
    firefox: 'https://addons.mozilla.org/firefox/addon/ether-metamask',
    opera: 'https://addons.opera.com/extensions/details/metamask-10',
    browserExtension: 'https://metamask.io/download',
  },
  // Its app lets this link through without a warning. https://github.com/MetaMask/metamask-mobile, read 2026-11-26.
  relayLinks: {
    ios: 'https://link.metamask.io/wc?uri={uri}',
    android: 'https://link.metamask.io/wc?uri={uri}',
    universal: 'https://link.metamask.io/wc?uri={uri}',
    qrCode: 'https://link.metamask.io/wc?uri={uri}',
  },
  // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/, read 2026-11-27.
  openInWallet: 'https://link.metamask.io/dapp/{hostAndPath}',
  connectors: onPageOrRelay,
}

/** Lists Rainbow, which is reached on the page and over the relay. @see https://rainbow.me */
export const rainbowWallet: WalletDefinition<'rainbow'> = {
  id: 'rainbow',
  name: 'Rainbow',
  iconUrl: () => import('./icons/popular.ts').then((icons) => icons.rainbow),
  iconBackground: '#0c2f78',
  iconAccent: '#0c2f78',
  // RainbowKit, read 2026-11-20; https://github.com/rainbow-me/browser-extension, read 2026-11-20;
  // https://github.com/walletbeat/walletbeat, read 2026-11-20.
  rdns: ['me.rainbow'],
  flags: ['isRainbow'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1457119021',
    android: 'https://play.google.com/store/apps/details?id=me.rainbow',
    mobile: 'https://rainbow.me/download',
    chrome: 'https://chromewebstore.google.com/detail/opfgelmcmbiajamepnmloijbpoleiama',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/cpojfbodiccabbabgimdeohkkpjfpbnf',
    firefox: 'https://addons.mozilla.org/firefox/addon/rainbow-extension',
    browserExtension: 'https://rainbow.me/extension',
  },
  relayLinks: {
    ios: 'rainbow://wc?uri={uri}',
    universal: 'https://rnbwapp.com/wc?uri={uri}',
    qrCode: 'https://rnbwapp.com/wc?uri={uri}',
  },
  connectors: onPageOrRelay,
}

/** Lists Trust Wallet, which is reached on the page and over the relay. @see https://trustwallet.com */
export const trustWallet: WalletDefinition<'trust'> = {
  id: 'trust',
  name: 'Trust Wallet',
  shortName: 'Trust',
  iconUrl: async () => (await import('./icons/more.ts')).trust,
  iconBackground: '#fff',
  iconAccent: '#0500ff',
  // RainbowKit, read 2026-11-20.
  rdns: ['com.trustwallet.app'],
  flags: ['isTrust', 'isTrustWallet'],
  namespaces: ['trustwallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1288339409',
    android: 'https://play.google.com/store/apps/details?id=com.wallet.crypto.trustapp',
    mobile: 'https://trustwallet.com/download',
    chrome: 'https://chromewebstore.google.com/detail/egjidjbpglichdcondbcbdnbeeppgdph',
    browserExtension: 'https://trustwallet.com/browser-extension',
  },
  relayLinks: onPhones('trust://wc?uri={uri}', 'https://link.trustwallet.com/wc?uri={uri}'),
  // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking, read 2026-11-20.
  openInWallet: 'https://link.trustwallet.com/open_url?coin_id=60&url={url}',
  connectors: onPageOrRelay,
}

/** Lists Rabby, which is reached on the page and over the relay. @see https://rabby.io */
export const rabbyWallet: WalletDefinition<'rabby'> = {
  id: 'rabby',
  name: 'Rabby',
  iconUrl: async () => (await import('./icons/more.ts')).rabby,
  iconBackground: '#8697ff',
  iconAccent: '#8697ff',
  // RainbowKit, read 2026-11-20; https://rabby.io, read 2026-11-20.
  rdns: ['io.rabby'],
  flags: ['isRabby'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6474381673',
    android: 'https://play.google.com/store/apps/details?id=com.debank.rabbymobile',
    mobile: 'https://rabby.io',
    chrome: 'https://chromewebstore.google.com/detail/acmacodkjbdgmoleebolmdjonilkdbch',
    browserExtension: 'https://rabby.io',
  },
  // Its apps register this scheme only, not wc:. https://github.com/RabbyHub/rabby-mobile, read 2026-11-22.
  relayLinks: onPhones('rabby://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Phantom, which is reached on the page. @see https://phantom.com */
export const phantomWallet: WalletDefinition<'phantom'> = {
  id: 'phantom',
  name: 'Phantom',
  iconUrl: async () => (await import('./icons/phantom.ts')).default,
  iconBackground: '#ab9ff2',
  iconAccent: '#ab9ff2',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.phantom'],
  flags: ['isPhantom'],
  namespaces: ['phantom.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1598432977',
    android: 'https://play.google.com/store/apps/details?id=app.phantom',
    mobile: 'https://phantom.com/download',
    chrome: 'https://chromewebstore.google.com/detail/bfnaelmomeimhlpmgjnjophhpkkoljpa',
    firefox: 'https://addons.mozilla.org/firefox/addon/phantom-app',
    browserExtension: 'https://phantom.com/download',
  },
  // https://docs.phantom.com/phantom-deeplinks/other-methods/browse, read 2026-11-27.
  openInWallet: 'https://phantom.app/ul/browse/{url}?ref={url}',
  connectors: onPage,
}

/** Lists Ledger, which is reached over the relay. @see https://www.ledger.com */
export const ledgerWallet: WalletDefinition<'ledger'> = {
  id: 'ledger',
  name: 'Ledger',
  iconUrl: async () => (await import('./icons/ledger.ts')).default,
  iconBackground: '#000',
  iconAccent: '#000',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1361671700',
    android: 'https://play.google.com/store/apps/details?id=com.ledger.live',
    mobile: 'https://www.ledger.com/ledger-live',
    desktop: 'https://www.ledger.com/ledger-live',
  },
  relayLinks: { ios: 'ledgerlive://wc?uri={uri}', qrCode: 'ledgerlive://wc?uri={uri}' },
  connectors: overRelay,
}

/** Lists Zerion, which is reached on the page and over the relay. @see https://zerion.io */
export const zerionWallet: WalletDefinition<'zerion'> = {
  id: 'zerion',
  name: 'Zerion',
  iconUrl: async () => (await import('./icons/zerion.ts')).default,
  iconBackground: '#2962ef',
  iconAccent: '#2962ef',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['io.zerion.wallet'],
  flags: ['isZerion'],
  namespaces: ['zerionWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1456732565',
    android: 'https://play.google.com/store/apps/details?id=io.zerion.android',
    mobile: 'https://zerion.io/download',
    chrome: 'https://chromewebstore.google.com/detail/klghhnkeealcohjjanjjdaeeggmfmlpl',
    browserExtension: 'https://zerion.io/extension',
  },
  relayLinks: { ios: 'zerion://wc?uri={uri}' },
  connectors: onPageOrRelay,
}

/** Lists Uniswap Wallet, which is reached on the page and over the relay. @see https://wallet.uniswap.org */
export const uniswapWallet: WalletDefinition<'uniswap'> = {
  id: 'uniswap',
  name: 'Uniswap Wallet',
  shortName: 'Uniswap',
  iconUrl: async () => (await import('./icons/uniswap.ts')).default,
  iconBackground: '#fc72ff',
  iconAccent: '#fc72ff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27; https://github.com/Uniswap/interface, read 2026-11-27.
  rdns: ['org.uniswap.app'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6443944476',
    android: 'https://play.google.com/store/apps/details?id=com.uniswap.mobile',
    mobile: 'https://wallet.uniswap.org',
    chrome: 'https://chromewebstore.google.com/detail/nnpmfplkfogfpmcngplhnbdnnilmcdcg',
    browserExtension: 'https://wallet.uniswap.org',
  },
  relayLinks: onPhones('uniswap://wc?uri={uri}', 'https://uniswap.org/app/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Kraken Wallet, which is reached over the relay. @see https://www.kraken.com/wallet */
export const krakenWallet: WalletDefinition<'kraken'> = {
  id: 'kraken',
  name: 'Kraken Wallet',
  shortName: 'Kraken',
  iconUrl: async () => (await import('./icons/kraken.ts')).default,
  iconBackground: '#7132f5',
  iconAccent: '#7132f5',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1626327149',
    android: 'https://play.google.com/store/apps/details?id=com.kraken.superwallet',
    mobile: 'https://www.kraken.com/wallet',
  },
  relayLinks: onPhones('krakenwallet://wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Backpack, which is reached on the page. @see https://backpack.app */
export const backpackWallet: WalletDefinition<'backpack'> = {
  id: 'backpack',
  name: 'Backpack',
  iconUrl: async () => (await import('./icons/backpack.ts')).default,
  iconBackground: '#e33e3f',
  iconAccent: '#e33e3f',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.backpack', 'app.backpack.mobile'],
  namespaces: ['backpack.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6445964121',
    android: 'https://play.google.com/store/apps/details?id=app.backpack.mobile',
    mobile: 'https://backpack.app/download',
    chrome: 'https://chromewebstore.google.com/detail/aflkmfhebedbjioipglgcbcmnbpgliof',
    browserExtension: 'https://backpack.app/download',
  },
  // https://docs.backpack.app/deeplinks/other-methods/browse, read 2026-11-27.
  openInWallet: 'https://backpack.app/ul/v1/browse/{url}?ref={url}',
  connectors: onPage,
}

/** Lists Ronin Wallet, which is reached on the page and over the relay. @see https://wallet.roninchain.com */
export const roninWallet: WalletDefinition<'ronin'> = {
  id: 'ronin',
  name: 'Ronin Wallet',
  shortName: 'Ronin',
  iconUrl: async () => (await import('./icons/ronin.ts')).default,
  iconBackground: '#1273ea',
  iconAccent: '#1273ea',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.roninchain.wallet'],
  namespaces: ['ronin.provider'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1592675001',
    android: 'https://play.google.com/store/apps/details?id=com.skymavis.genesis',
    mobile: 'https://wallet.roninchain.com',
    chrome: 'https://chromewebstore.google.com/detail/fnjhmkhhmkbjkkabndcnnogagogbneec',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/kjmoohlgokccodicjjfebfomlbljgfhk',
    firefox: 'https://addons.mozilla.org/firefox/addon/ronin-wallet',
    browserExtension: 'https://wallet.roninchain.com',
  },
  relayLinks: onPhones('roninwallet://wc?uri={uri}', 'https://wallet.roninchain.com/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Coin98 Wallet, which is reached on the page and over the relay. @see https://coin98.com/wallet */
export const coin98Wallet: WalletDefinition<'coin98'> = {
  id: 'coin98',
  name: 'Coin98 Wallet',
  shortName: 'Coin98',
  iconUrl: async () => (await import('./icons/coin98.ts')).default,
  iconBackground: '#000',
  iconAccent: '#cda349',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.coin98'],
  flags: ['isCoin98'],
  namespaces: ['coin98.provider'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1561969966',
    android: 'https://play.google.com/store/apps/details?id=coin98.crypto.finance.media',
    mobile: 'https://coin98.com/wallet',
    chrome: 'https://chromewebstore.google.com/detail/aeachknmefphepccionboohckonoeemg',
    browserExtension: 'https://coin98.com/wallet',
  },
  relayLinks: onPhones('coin98://wc?uri={uri}', 'https://coin98.com/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Ready, which is reached over the relay. @see https://www.ready.co */
export const readyWallet: WalletDefinition<'ready'> = {
  id: 'ready',
  name: 'Ready',
  iconUrl: async () => (await import('./icons/ready.ts')).default,
  iconBackground: '#ff875b',
  iconAccent: '#ff875b',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27. Formerly Argent.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1358741926',
    android: 'https://play.google.com/store/apps/details?id=im.argent.contractwalletclient',
    mobile: 'https://www.ready.co/app',
  },
  relayLinks: { ios: 'argent://app/wc?uri={uri}', universal: 'https://www.argent.xyz/app/wc?uri={uri}' },
  connectors: overRelay,
}

/** Lists Brave Wallet, which is reached on the page. @see https://brave.com/wallet */
export const braveWallet: WalletDefinition<'brave'> = {
  id: 'brave',
  name: 'Brave Wallet',
  shortName: 'Brave',
  iconUrl: async () => (await import('./icons/brave.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#fb542b',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27. Part of the browser: there is nothing to install in
  // another one.
  rdns: ['com.brave.wallet'],
  flags: ['isBraveWallet'],
  connectors: onPage,
}

/** Lists 1inch Wallet, which is reached on the page and over the relay. @see https://1inch.io/wallet */
export const oneInchWallet: WalletDefinition<'oneInch'> = {
  id: 'oneInch',
  name: '1inch Wallet',
  shortName: '1inch',
  iconUrl: async () => (await import('./icons/oneInch.ts')).default,
  iconBackground: '#14161f',
  iconAccent: '#14161f',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  flags: ['isOneInchIOSWallet', 'isOneInchAndroidWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1546049391',
    android: 'https://play.google.com/store/apps/details?id=io.oneinch.android',
    mobile: 'https://1inch.io/wallet',
  },
  relayLinks: onPhones('oneinch://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Porto, which is reached on the page. @see https://porto.sh */
export const portoWallet: WalletDefinition<'porto'> = {
  id: 'porto',
  name: 'Porto',
  iconUrl: async () => (await import('./icons/porto.ts')).default,
  iconBackground: '#2e7cf6',
  iconAccent: '#2e7cf6',
  // RainbowKit, read 2026-11-27. Announces itself once the app calls `Porto.create()` of the package `porto`.
  rdns: ['xyz.ithaca.porto'],
  // https://porto.sh/sdk/rpc/wallet_connect, read 2026-11-27.
  connectCapabilities: ['signInWithEthereum'],
  connectors: onPage,
}

/** Lists Exodus, which is reached on the page and over the relay. @see https://www.exodus.com */
export const exodusWallet: WalletDefinition<'exodus'> = {
  id: 'exodus',
  name: 'Exodus',
  iconUrl: async () => (await import('./icons/exodus.ts')).default,
  iconBackground: '#0b0d1f',
  iconAccent: '#7b39ff',
  // the explorer, read 2026-11-27; RainbowKit, read 2026-11-27.
  rdns: ['com.exodus.web3-wallet'],
  flags: ['isExodus'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1414384820',
    android: 'https://play.google.com/store/apps/details?id=exodusmovement.exodus',
    mobile: 'https://www.exodus.com/download',
    chrome: 'https://chromewebstore.google.com/detail/aholpfdialjgjfhomihkjbmgjidlcdno',
    browserExtension: 'https://www.exodus.com/download',
  },
  relayLinks: onPhones('exodus://wc?uri={uri}', 'https://exodus.com/m/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Crypto.com Onchain, which is reached on the page and over the relay. @see https://crypto.com/onchain */
export const cryptoComWallet: WalletDefinition<'cryptoCom'> = {
  id: 'cryptoCom',
  name: 'Crypto.com Onchain',
  shortName: 'Crypto.com',
  iconUrl: async () => (await import('./icons/cryptoCom.ts')).default,
  iconBackground: '#002d74',
  iconAccent: '#002d74',
  // the explorer, read 2026-11-27.
  rdns: ['com.crypto.wallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1512048310',
    android: 'https://play.google.com/store/apps/details?id=com.defi.wallet',
    mobile: 'https://crypto.com/onchain',
    chrome: 'https://chromewebstore.google.com/detail/hifafgmccdpekplomjjkcfgodnhcellj',
    browserExtension: 'https://crypto.com/onchain',
  },
  relayLinks: onPhones('dfw://wc?uri={uri}', 'https://wallet.crypto.com/deeplink/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Robinhood Wallet, which is reached on the page and over the relay. @see https://robinhood.com/web3-wallet */
export const robinhoodWallet: WalletDefinition<'robinhood'> = {
  id: 'robinhood',
  name: 'Robinhood Wallet',
  shortName: 'Robinhood',
  iconUrl: async () => (await import('./icons/robinhood.ts')).default,
  iconBackground: '#cf0',
  iconAccent: '#cf0',
  // the explorer, read 2026-11-27.
  rdns: ['com.robinhood.wallet'],
  downloadUrls: {
    android: 'https://play.google.com/store/apps/details?id=com.robinhood.gateway',
    mobile: 'https://robinhood.com/web3-wallet',
  },
  relayLinks: onPhones('robinhood-wallet://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Trezor Suite, which is reached over the relay. @see https://trezor.io/trezor-suite */
export const trezorWallet: WalletDefinition<'trezor'> = {
  id: 'trezor',
  name: 'Trezor Suite',
  shortName: 'Trezor',
  iconUrl: async () => (await import('./icons/trezor.ts')).default,
  iconBackground: '#0f6148',
  iconAccent: '#0f6148',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1631884497',
    android: 'https://play.google.com/store/apps/details?id=io.trezor.suite',
    mobile: 'https://trezor.io/trezor-suite',
    desktop: 'https://trezor.io/trezor-suite',
  },
  relayLinks: {
    ios: 'https://connect.trezor.io/9/deeplink/wc?uri={uri}',
    android: 'https://connect.trezor.io/9/deeplink/wc?uri={uri}',
    universal: 'https://connect.trezor.io/9/deeplink/wc?uri={uri}',
  },
  connectors: overRelay,
}

/** Lists Tangem, which is reached over the relay. @see https://tangem.com */
export const tangemWallet: WalletDefinition<'tangem'> = {
  id: 'tangem',
  name: 'Tangem',
  iconUrl: async () => (await import('./icons/tangem.ts')).default,
  iconBackground: '#1e1e1e',
  iconAccent: '#1e1e1e',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1354868448',
    android: 'https://play.google.com/store/apps/details?id=com.tangem.wallet',
    mobile: 'https://tangem.com',
  },
  relayLinks: onPhones('tangem://wc?uri={uri}', 'https://app.tangem.com/wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Keplr, which is reached on the page. @see https://www.keplr.app */
export const keplrWallet: WalletDefinition<'keplr'> = {
  id: 'keplr',
  name: 'Keplr',
  iconUrl: async () => (await import('./icons/keplr.ts')).default,
  iconBackground: '#000',
  iconAccent: '#3973fe',
  // the explorer, read 2026-11-27. No relay: its app pairs for Cosmos chains.
  rdns: ['app.keplr'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1567851089',
    android: 'https://play.google.com/store/apps/details?id=com.chainapsis.keplr',
    mobile: 'https://www.keplr.app/get',
    chrome: 'https://chromewebstore.google.com/detail/dmkamcknogkgcdfhhbddcghachkejeap',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/ocodgmmffbkkeecmadcijjhkmeohinei',
    firefox: 'https://addons.mozilla.org/firefox/addon/keplr',
    browserExtension: 'https://www.keplr.app/get',
  },
  connectors: onPage,
}

/** Lists Zengo, which is reached over the relay. @see https://zengo.com */
export const zengoWallet: WalletDefinition<'zengo'> = {
  id: 'zengo',
  name: 'Zengo',
  iconUrl: async () => (await import('./icons/zengo.ts')).default,
  iconBackground: '#06ed97',
  iconAccent: '#06ed97',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1440147115',
    android: 'https://play.google.com/store/apps/details?id=com.zengo.wallet',
    mobile: 'https://zengo.com',
  },
  relayLinks: onPhones('zengo://get.zengo.com/wc?uri={uri}', 'https://get.zengo.com/wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Fireblocks, which is reached over the relay. @see https://www.fireblocks.com */
export const fireblocksWallet: WalletDefinition<'fireblocks'> = {
  id: 'fireblocks',
  name: 'Fireblocks',
  iconUrl: async () => (await import('./icons/fireblocks.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#0d2149',
  // the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1439296596',
    android: 'https://play.google.com/store/apps/details?id=com.fireblocks.client',
    mobile: 'https://www.fireblocks.com',
  },
  relayLinks: onPhones('fireblocks-wc://wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Status, which is reached on the page and over the relay. @see https://status.app */
export const statusWallet: WalletDefinition<'status'> = {
  id: 'status',
  name: 'Status',
  iconUrl: async () => (await import('./icons/status.ts')).default,
  iconBackground: '#5b6dee',
  iconAccent: '#5b6dee',
  // the explorer, read 2026-11-27; RainbowKit, read 2026-11-27.
  flags: ['isStatus'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1178893006',
    android: 'https://play.google.com/store/apps/details?id=im.status.ethereum',
    mobile: 'https://status.app',
    desktop: 'https://status.app',
  },
  relayLinks: onPhones('status-app://wc?uri={uri}', 'https://status.app/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Core, which is reached on the page and over the relay. @see https://core.app */
export const coreWallet: WalletDefinition<'core'> = {
  id: 'core',
  name: 'Core',
  iconUrl: async () => (await import('./icons/core.ts')).default,
  iconBackground: '#e84142',
  iconAccent: '#e84142',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.core.extension'],
  flags: ['isAvalanche'],
  namespaces: ['avalanche'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6443685999',
    android: 'https://play.google.com/store/apps/details?id=com.avaxwallet',
    mobile: 'https://core.app/download',
    chrome: 'https://chromewebstore.google.com/detail/agoakfejjabomempkjlepdflaleeobhb',
    browserExtension: 'https://core.app/download',
  },
  relayLinks: { universal: 'https://core.app/wc?uri={uri}' },
  connectors: onPageOrRelay,
}

/** Lists MEW wallet, which is reached on the page and over the relay. @see https://www.mewwallet.com */
export const mewWallet: WalletDefinition<'mew'> = {
  id: 'mew',
  name: 'MEW wallet',
  shortName: 'MEW',
  iconUrl: async () => (await import('./icons/mew.ts')).default,
  iconBackground: '#05c0a5',
  iconAccent: '#05c0a5',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  flags: ['isMEWwallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1464614025',
    android: 'https://play.google.com/store/apps/details?id=com.myetherwallet.mewwallet',
    mobile: 'https://www.mewwallet.com',
  },
  relayLinks: {
    ios: 'https://mewwallet.com/wc?uri={uri}',
    android: 'https://mewwallet.com/wc?uri={uri}',
    universal: 'https://mewwallet.com/wc?uri={uri}',
    qrCode: 'https://mewwallet.com/wc?uri={uri}',
  },
  connectors: onPageOrRelay,
}

/** Lists Enkrypt, which is reached on the page. @see https://www.enkrypt.com */
export const enkryptWallet: WalletDefinition<'enkrypt'> = {
  id: 'enkrypt',
  name: 'Enkrypt',
  iconUrl: async () => (await import('./icons/enkrypt.ts')).default,
  iconBackground: '#7e44f2',
  iconAccent: '#7e44f2',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.enkrypt'],
  flags: ['isEnkrypt'],
  namespaces: ['enkrypt.providers.ethereum'],
  downloadUrls: {
    chrome: 'https://chromewebstore.google.com/detail/kkpllkodjeloidieedojogacfhpaihoh',
    edge: 'https://microsoftedge.microsoft.com/addons/detail/gfenajajnjjmmdojhdjmnngomkhlnfjl',
    firefox: 'https://addons.mozilla.org/firefox/addon/enkrypt',
    opera: 'https://addons.opera.com/extensions/details/enkrypt',
    safari: 'https://apps.apple.com/app/id1640164309',
    browserExtension: 'https://www.enkrypt.com',
  },
  connectors: onPage,
}

/** Lists Ctrl Wallet, which is reached on the page. @see https://ctrl.xyz */
export const ctrlWallet: WalletDefinition<'ctrl'> = {
  id: 'ctrl',
  name: 'Ctrl Wallet',
  shortName: 'Ctrl',
  iconUrl: async () => (await import('./icons/ctrl.ts')).default,
  iconBackground: '#0b0b12',
  iconAccent: '#9d7bff',
  // RainbowKit, read 2026-11-27. Formerly XDEFI.
  rdns: ['xyz.ctrl', 'io.xdefi'],
  namespaces: ['ctrl.ethereum', 'xfi.ethereum'],
  downloadUrls: {
    chrome: 'https://chromewebstore.google.com/detail/hmeobnfnfcmdkdcmlblgagmfpfboieaf',
    browserExtension: 'https://ctrl.xyz',
  },
  connectors: onPage,
}

/** Lists Frame, which is reached on the page. @see https://frame.sh */
export const frameWallet: WalletDefinition<'frame'> = {
  id: 'frame',
  name: 'Frame',
  iconUrl: async () => (await import('./icons/frame.ts')).default,
  iconBackground: '#121c20',
  iconAccent: '#121c20',
  // RainbowKit, read 2026-11-27.
  rdns: ['sh.frame'],
  flags: ['isFrame'],
  downloadUrls: {
    desktop: 'https://frame.sh',
  },
  connectors: onPage,
}

/** Lists Talisman, which is reached on the page and over the relay. @see https://talisman.xyz */
export const talismanWallet: WalletDefinition<'talisman'> = {
  id: 'talisman',
  name: 'Talisman',
  iconUrl: async () => (await import('./icons/talisman.ts')).default,
  iconBackground: '#d5ff5c',
  iconAccent: '#fd4848',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['xyz.talisman'],
  flags: ['isTalisman'],
  namespaces: ['talismanEth'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6761427240',
    android: 'https://play.google.com/store/apps/details?id=xyz.talisman.app',
    mobile: 'https://talisman.xyz/download',
    chrome: 'https://chromewebstore.google.com/detail/fijngjgcjhjmmpcmkeiomlglpeiijkld',
    firefox: 'https://addons.mozilla.org/firefox/addon/talisman-wallet-extension',
    browserExtension: 'https://talisman.xyz/download',
  },
  relayLinks: onPhones('talisman://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists SubWallet, which is reached on the page and over the relay. @see https://www.subwallet.app */
export const subWallet: WalletDefinition<'subWallet'> = {
  id: 'subWallet',
  name: 'SubWallet',
  iconUrl: async () => (await import('./icons/subWallet.ts')).default,
  iconBackground: '#004bff',
  iconAccent: '#004bff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.subwallet'],
  namespaces: ['SubWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1633050285',
    android: 'https://play.google.com/store/apps/details?id=app.subwallet.mobile',
    mobile: 'https://www.subwallet.app/download',
    chrome: 'https://chromewebstore.google.com/detail/onhogfjeacnfoofkfgppdlbmlmnplgbn',
    firefox: 'https://addons.mozilla.org/firefox/addon/subwallet',
    browserExtension: 'https://www.subwallet.app/download',
  },
  relayLinks: onPhones('subwallet://wc?uri={uri}', 'https://mobile.subwallet.app/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Nova Wallet, which is reached on the page and over the relay. @see https://novawallet.io */
export const novaWallet: WalletDefinition<'nova'> = {
  id: 'nova',
  name: 'Nova Wallet',
  shortName: 'Nova',
  iconUrl: async () => (await import('./icons/nova.ts')).default,
  iconBackground: '#0e0e2c',
  iconAccent: '#0e0e2c',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['io.novawallet'],
  flags: ['isNovaWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1597119355',
    android: 'https://play.google.com/store/apps/details?id=io.novafoundation.nova.market',
    mobile: 'https://novawallet.io',
  },
  relayLinks: onPhones('novawallet://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Kaia Wallet, which is reached on the page and over the relay. @see https://www.kaiawallet.io */
export const kaiaWallet: WalletDefinition<'kaia'> = {
  id: 'kaia',
  name: 'Kaia Wallet',
  shortName: 'Kaia',
  iconUrl: async () => (await import('./icons/kaia.ts')).default,
  iconBackground: '#bff009',
  iconAccent: '#bff009',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27. Formerly Kaikas.
  namespaces: ['klaytn'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6502896387',
    android: 'https://play.google.com/store/apps/details?id=io.klutch.wallet',
    mobile: 'https://app.kaiawallet.io',
    chrome: 'https://chromewebstore.google.com/detail/jblndlipeogpafnldhgmapagcccfchpi',
    browserExtension: 'https://app.kaiawallet.io',
  },
  relayLinks: onPhones('kaiawallet://wallet/wc?uri={uri}', 'https://app.kaiawallet.io/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists ioPay, which is reached over the relay. @see https://iopay.me */
export const iopayWallet: WalletDefinition<'ioPay'> = {
  id: 'ioPay',
  name: 'ioPay',
  iconUrl: async () => (await import('./icons/ioPay.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#855eff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1478086371',
    android: 'https://play.google.com/store/apps/details?id=io.iotex.iopay.gp',
    mobile: 'https://iopay.me',
  },
  relayLinks: { ios: 'iopay://wc?uri={uri}' },
  connectors: overRelay,
}

/** Lists Universal Profiles, which is reached on the page and over the relay. @see https://universalprofile.cloud */
export const universalProfilesWallet: WalletDefinition<'universalProfiles'> = {
  id: 'universalProfiles',
  name: 'Universal Profiles',
  shortName: 'Profiles',
  iconUrl: async () => (await import('./icons/universalProfiles.ts')).default,
  iconBackground: '#fe005b',
  iconAccent: '#fe005b',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['io.universaleverything.universalprofiles', 'cloud.universalprofile'],
  namespaces: ['lukso'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6702018631',
    android: 'https://play.google.com/store/apps/details?id=io.universaleverything.universalprofiles',
    mobile: 'https://my.universalprofile.cloud',
    chrome: 'https://chromewebstore.google.com/detail/abpickdkkbnbcoepogfhkhennhfhehfn',
    browserExtension: 'https://my.universalprofile.cloud',
  },
  relayLinks: onPhones('io.universaleverything.universalprofiles://wallet-connect/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists xPortal, which is reached on the page and over the relay. @see https://xportal.com */
export const xPortalWallet: WalletDefinition<'xPortal'> = {
  id: 'xPortal',
  name: 'xPortal',
  iconUrl: async () => (await import('./icons/xPortal.ts')).default,
  iconBackground: '#000',
  iconAccent: '#23f7dd',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.elrond.maiar.wallet'],
  flags: ['isxPortal'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1519405832',
    android: 'https://play.google.com/store/apps/details?id=com.elrond.maiar.wallet',
    mobile: 'https://xportal.com/app',
  },
  relayLinks: { ios: 'xportal://wc?uri={uri}', universal: 'https://xportal.app.link/wc?uri={uri}' },
  connectors: onPageOrRelay,
}

/** Lists ZilPay, which is reached on the page and over the relay. @see https://zilpay.io */
export const zilPayWallet: WalletDefinition<'zilPay'> = {
  id: 'zilPay',
  name: 'ZilPay',
  iconUrl: async () => (await import('./icons/zilPay.ts')).default,
  iconBackground: '#29ccc4',
  iconAccent: '#29ccc4',
  // RainbowKit, read 2026-11-27.
  rdns: ['io.zilpay'],
  flags: ['isZilPay'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1547105860',
    android: 'https://play.google.com/store/apps/details?id=com.zilpaymobile',
    mobile: 'https://zilpay.io',
  },
  relayLinks: onPhones('zilpay://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists BeraSig, which is reached on the page and over the relay. @see https://berasig.com */
export const berasigWallet: WalletDefinition<'berasig'> = {
  id: 'berasig',
  name: 'BeraSig',
  iconUrl: async () => (await import('./icons/berasig.ts')).default,
  iconBackground: '#814625',
  iconAccent: '#814625',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.berasig'],
  namespaces: ['berasig.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6502052535',
    android: 'https://play.google.com/store/apps/details?id=io.berasig.ios',
    mobile: 'https://berasig.com',
    chrome: 'https://chromewebstore.google.com/detail/ckedkkegjbflcfblcjklibnedmfjppbj',
    browserExtension: 'https://berasig.com',
  },
  relayLinks: onPhones('berasig://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Bifrost Wallet, which is reached on the page and over the relay. @see https://bifrostwallet.com */
export const bifrostWallet: WalletDefinition<'bifrost'> = {
  id: 'bifrost',
  name: 'Bifrost Wallet',
  shortName: 'Bifrost',
  iconUrl: async () => (await import('./icons/bifrost.ts')).default,
  iconBackground: '#1b1b25',
  iconAccent: '#1b1b25',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.bifrostwallet'],
  flags: ['isBifrost'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1577198351',
    android: 'https://play.google.com/store/apps/details?id=com.bifrostwallet.app',
    mobile: 'https://bifrostwallet.com',
  },
  relayLinks: {
    ios: 'https://app.bifrostwallet.com/wc?uri={uri}',
    universal: 'https://app.bifrostwallet.com/wc?uri={uri}',
  },
  connectors: onPageOrRelay,
}

/** Lists Best Wallet, which is reached over the relay. @see https://bestwallet.com */
export const bestWallet: WalletDefinition<'best'> = {
  id: 'best',
  name: 'Best Wallet',
  shortName: 'Best',
  iconUrl: async () => (await import('./icons/best.ts')).default,
  iconBackground: '#5961ff',
  iconAccent: '#5961ff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6451312105',
    android: 'https://play.google.com/store/apps/details?id=com.bestwallet.mobile',
    mobile: 'https://bestwallet.com',
  },
  relayLinks: onPhones('bw://connect/wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Magic Eden Wallet, which is reached on the page and over the relay. @see https://wallet.magiceden.io */
export const magicEdenWallet: WalletDefinition<'magicEden'> = {
  id: 'magicEden',
  name: 'Magic Eden Wallet',
  shortName: 'Magic Eden',
  iconUrl: async () => (await import('./icons/magicEden.ts')).default,
  iconBackground: '#36114d',
  iconAccent: '#e42575',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['io.magiceden.wallet'],
  namespaces: ['magicEden.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6478631482',
    android: 'https://play.google.com/store/apps/details?id=com.magiceden.wallet',
    mobile: 'https://wallet.magiceden.io',
    chrome: 'https://chromewebstore.google.com/detail/mkpegjkblkkefacfnmkajcjmabijhclg',
    browserExtension: 'https://wallet.magiceden.io',
  },
  relayLinks: onPhones('magiceden://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists MeCo Wallet, which is reached on the page and over the relay. @see https://mecowallet.com */
export const mecoWallet: WalletDefinition<'meCo'> = {
  id: 'meCo',
  name: 'MeCo Wallet',
  shortName: 'MeCo',
  iconUrl: async () => (await import('./icons/meCo.ts')).default,
  iconBackground: '#7443df',
  iconAccent: '#7443df',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.meco.wallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6749523218',
    android: 'https://play.google.com/store/apps/details?id=com.memecore.wallet',
    mobile: 'https://mecowallet.com',
  },
  relayLinks: onPhones('mecowallet://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Nest Wallet, which is reached on the page and over the relay. @see https://nestwallet.xyz */
export const nestWallet: WalletDefinition<'nest'> = {
  id: 'nest',
  name: 'Nest Wallet',
  shortName: 'Nest',
  iconUrl: async () => (await import('./icons/nest.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#7a4dff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['xyz.nestwallet'],
  flags: ['isNestWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6451122334',
    android: 'https://play.google.com/store/apps/details?id=xyz.nestwallet.nestwallet',
    mobile: 'https://nestwallet.xyz',
    chrome: 'https://chromewebstore.google.com/detail/cmoakldedjfnjofgbbfenefcagmedlga',
    browserExtension: 'https://nestwallet.xyz',
  },
  relayLinks: onPhones('nestwallet://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Okto, which is reached over the relay. @see https://okto.tech */
export const oktoWallet: WalletDefinition<'okto'> = {
  id: 'okto',
  name: 'Okto',
  iconUrl: async () => (await import('./icons/okto.ts')).default,
  iconBackground: '#5166ee',
  iconAccent: '#5166ee',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6450688229',
    android: 'https://play.google.com/store/apps/details?id=com.coindcx.okto',
    mobile: 'https://okto.tech',
  },
  relayLinks: { ios: 'okto://wc?uri={uri}' },
  connectors: overRelay,
}

/** Lists Kresus, which is reached over the relay. @see https://www.kresus.com */
export const kresusWallet: WalletDefinition<'kresus'> = {
  id: 'kresus',
  name: 'Kresus',
  iconUrl: async () => (await import('./icons/kresus.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#0b0d4f',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6444355152',
    android: 'https://play.google.com/store/apps/details?id=com.kresus.superapp',
    mobile: 'https://kresusconnect.kresus.com/download',
  },
  relayLinks: onPhones('com.kresus.superapp://wc?uri={uri}'),
  connectors: overRelay,
}

/** Lists Valora, which is reached over the relay. @see https://valora.xyz */
export const valoraWallet: WalletDefinition<'valora'> = {
  id: 'valora',
  name: 'Valora',
  iconUrl: async () => (await import('./icons/valora.ts')).default,
  iconBackground: '#fcff52',
  iconAccent: '#fcff52',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1520414263',
    android: 'https://play.google.com/store/apps/details?id=co.clabs.valora',
    mobile: 'https://valora.xyz',
  },
  relayLinks: { ios: 'celo://wallet/wc?uri={uri}' },
  connectors: overRelay,
}

/** Lists Wigwam, which is reached on the page and over the relay. @see https://wigwam.app */
export const wigwamWallet: WalletDefinition<'wigwam'> = {
  id: 'wigwam',
  name: 'Wigwam',
  iconUrl: async () => (await import('./icons/wigwam.ts')).default,
  iconBackground: '#80ef6e',
  iconAccent: '#80ef6e',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['com.wigwam.wallet'],
  flags: ['isWigwam'],
  namespaces: ['wigwamEthereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6630381643',
    android: 'https://play.google.com/store/apps/details?id=com.wigwamapp',
    mobile: 'https://wigwam.app',
    chrome: 'https://chromewebstore.google.com/detail/lccbohhgfkdikahanoclbdmaolidjdfl',
    browserExtension: 'https://wigwam.app',
  },
  relayLinks: onPhones('wigwam://wc?uri={uri}', 'https://wigwam.app/wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Zeal, which is reached on the page and over the relay. @see https://www.zeal.app */
export const zealWallet: WalletDefinition<'zeal'> = {
  id: 'zeal',
  name: 'Zeal',
  iconUrl: async () => (await import('./icons/zeal.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#0ff',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['app.zeal'],
  flags: ['isZeal'],
  downloadUrls: {
    android: 'https://play.google.com/store/apps/details?id=app.zeal.wallet',
    mobile: 'https://zeal.app',
    chrome: 'https://chromewebstore.google.com/detail/heamnjbnflcikcggoiplibfommfbkjpj',
    browserExtension: 'https://zeal.app',
  },
  relayLinks: onPhones('zeal://wc?uri={uri}'),
  connectors: onPageOrRelay,
}

/** Lists Taho, which is reached on the page. @see https://taho.xyz */
export const tahoWallet: WalletDefinition<'taho'> = {
  id: 'taho',
  name: 'Taho',
  iconUrl: async () => (await import('./icons/taho.ts')).default,
  iconBackground: '#002522',
  iconAccent: '#d08c4e',
  // RainbowKit, read 2026-11-27.
  flags: ['isTally'],
  namespaces: ['tally'],
  downloadUrls: {
    chrome: 'https://chromewebstore.google.com/detail/eajafomhmkipbjmfmhebemolkcicgfmd',
    browserExtension: 'https://taho.xyz',
  },
  connectors: onPage,
}

/** Lists Anchorage Digital, which is reached on the page. @see https://www.anchorage.com */
export const anchorageDigitalWallet: WalletDefinition<'anchorageDigital'> = {
  id: 'anchorageDigital',
  name: 'Anchorage Digital',
  shortName: 'Anchorage',
  iconUrl: async () => (await import('./icons/anchorageDigital.ts')).default,
  iconBackground: '#000',
  iconAccent: '#000',
  // RainbowKit, read 2026-11-27.
  rdns: ['com.anchorage.connect'],
  flags: ['isAnchorageDigital'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id6754656781',
    mobile: 'https://www.anchorage.com',
    chrome: 'https://chromewebstore.google.com/detail/fadcgekaahkbmhjnpdhldednpbfpmkfl',
    browserExtension: 'https://www.anchorage.com',
  },
  connectors: onPage,
}

/** Lists Bloom Wallet, which is reached over the relay. @see https://bloomwallet.io */
export const bloomWallet: WalletDefinition<'bloom'> = {
  id: 'bloom',
  name: 'Bloom Wallet',
  shortName: 'Bloom',
  iconUrl: async () => (await import('./icons/bloom.ts')).default,
  iconBackground: '#000',
  iconAccent: '#000',
  // RainbowKit, read 2026-11-27.
  downloadUrls: {
    desktop: 'https://bloomwallet.io',
  },
  connectors: overRelay,
}

/** Lists Ambire, which is reached on the page. @see https://www.ambire.com */
export const ambireWallet: WalletDefinition<'ambire'> = {
  id: 'ambire',
  name: 'Ambire',
  iconUrl: async () => (await import('./icons/ambire.ts')).default,
  iconBackground: '#6000ff',
  iconAccent: '#6000ff',
  // https://github.com/AmbireTech/extension, read 2026-11-27.
  rdns: ['com.ambire.wallet'],
  downloadUrls: {
    chrome: 'https://chromewebstore.google.com/detail/ehgjhhccekdedpbkifaojjaefeohnoea',
    firefox: 'https://addons.mozilla.org/firefox/addon/ambire-web3-wallet',
    browserExtension: 'https://www.ambire.com/get-extension',
  },
  connectors: onPage,
}

/** Lists Frontier, which is reached on the page and over the relay. @see https://www.frontier.xyz */
export const frontierWallet: WalletDefinition<'frontier'> = {
  id: 'frontier',
  name: 'Frontier',
  iconUrl: async () => (await import('./icons/frontier.ts')).default,
  iconBackground: '#cc703c',
  iconAccent: '#cc703c',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  rdns: ['xyz.frontier.wallet'],
  flags: ['isFrontier'],
  namespaces: ['frontier.ethereum'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1482380988',
    android: 'https://play.google.com/store/apps/details?id=com.frontierwallet',
    mobile: 'https://www.frontier.xyz/download',
    chrome: 'https://chromewebstore.google.com/detail/kppfdiipphfccemcignhifpjkapfbihd',
    browserExtension: 'https://www.frontier.xyz/download',
  },
  relayLinks: { ios: 'frontier://wc?uri={uri}' },
  connectors: onPageOrRelay,
}

/** Lists Bitverse, which is reached over the relay. @see https://www.bitverse.zone */
export const bitverseWallet: WalletDefinition<'bitverse'> = {
  id: 'bitverse',
  name: 'Bitverse',
  iconUrl: async () => (await import('./icons/bitverse.ts')).default,
  iconBackground: '#171728',
  iconAccent: '#171728',
  // RainbowKit, read 2026-11-27; the explorer, read 2026-11-27.
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1645515614',
    android: 'https://play.google.com/store/apps/details?id=com.bitverse.app',
    mobile: 'https://www.bitverse.zone/download',
    chrome: 'https://chromewebstore.google.com/detail/gkeelndblnomfmjnophbhfhcjbcnemka',
    browserExtension: 'https://www.bitverse.zone/download',
  },
  relayLinks: onPhones('bitverseapp://open/wallet/wc?uri={uri}'),
  connectors: overRelay,
}

/**
 * Defines the Safe that frames this page, or else a Safe over the relay: its app, or its website with the copied
 * link.
 *
 * @see https://github.com/safe-global/safe-apps-sdk
 * @example
 * const ours = { ...safeWallet, connectors: [safeConnector({ origins: ['https://safe.example'] })] }
 */
export const safeWallet: WalletDefinition<'safe'> = {
  id: 'safe',
  name: 'Safe',
  iconUrl: () => import('./icons/popular.ts').then((icons) => icons.safe),
  iconBackground: '#12ff80',
  iconAccent: '#12ff80',
  // Links of Safe{Mobile}: https://github.com/safe-global/safe-wallet-monorepo, read 2026-11-22.
  relayLinks: {
    ios: 'safe://wc?uri={uri}',
    android: 'safe://wc?uri={uri}',
    universal: 'https://app.safe.global/wc?uri={uri}',
  },
  connectors: [/* @__PURE__ */ safeConnector(), /* @__PURE__ */ walletConnectConnector()],
}

/**
 * Defines Coinbase Wallet. Its connector reaches the extension alone, until it is given the SDK.
 *
 * @see https://github.com/coinbase/coinbase-wallet-sdk
 * @example
 * const load = () => import('@coinbase/wallet-sdk')
 * const ours = { ...coinbaseWallet, connectors: [injectedConnector(), coinbaseConnector({ load })] }
 */
export const coinbaseWallet: WalletDefinition<'coinbase'> = {
  id: 'coinbase',
  name: 'Coinbase Wallet',
  shortName: 'Coinbase',
  iconUrl: () => import('./icons/popular.ts').then((icons) => icons.coinbase),
  iconBackground: '#0052ff',
  iconAccent: '#0052ff',
  // RainbowKit, read 2026-11-20.
  rdns: ['com.coinbase.wallet'],
  flags: ['isCoinbaseWallet'],
  downloadUrls: {
    ios: 'https://apps.apple.com/app/id1278383455',
    android: 'https://play.google.com/store/apps/details?id=org.toshi',
    mobile: 'https://www.coinbase.com/wallet/downloads',
    chrome: 'https://chromewebstore.google.com/detail/hnfanknocfeofbddgcijnmhnfnkdnaad',
    browserExtension: 'https://www.coinbase.com/wallet/downloads',
  },
  // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration, read 2026-11-20.
  openInWallet: 'https://go.cb-w.com/dapp?cb_url={url}',
  connectors: [/* @__PURE__ */ injectedConnector(), /* @__PURE__ */ coinbaseConnector()],
}

/**
 * Defines Base Account, a passkey in Coinbase's window. It needs its SDK.
 *
 * @see https://github.com/base/account-sdk
 * @example
 * const ours = { ...baseAccount, connectors: [baseAccountConnector({ load: () => import('@base-org/account') })] }
 */
export const baseAccount: WalletDefinition<'baseAccount'> = {
  id: 'baseAccount',
  name: 'Base Account',
  shortName: 'Base',
  iconUrl: async () => (await import('./icons/baseAccount.ts')).default,
  iconBackground: '#fff',
  iconAccent: '#0000ff',
  // https://docs.base.org/base-account/reference/core/capabilities/signInWithEthereum, read 2026-11-27.
  connectCapabilities: ['signInWithEthereum'],
  connectors: [/* @__PURE__ */ baseAccountConnector()],
}

/**
 * Defines any wallet that can scan a WalletConnect code.
 *
 * @see https://specs.walletconnect.com/2.0
 * @example
 * const wallets = [{ groupName: 'Popular', wallets: [metaMaskWallet, walletConnectWallet] }]
 */
export const walletConnectWallet: WalletDefinition<'walletConnect'> = {
  id: 'walletConnect',
  name: 'WalletConnect',
  iconUrl: () => import('./icons/popular.ts').then((icons) => icons.walletConnect),
  iconBackground: '#3b99fc',
  iconAccent: '#3b99fc',
  connectors: overRelay,
}
