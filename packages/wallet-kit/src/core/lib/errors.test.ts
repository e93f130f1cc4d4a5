// @vitest-environment node
import fc from 'fast-check'
import {
  HttpRequestError,
  InternalRpcError,
  UnauthorizedProviderError,
  UnknownRpcError,
  UnsupportedProviderMethodError,
} from 'viem'
import { expect, test } from 'vitest'
import { createCircle, createRevoked, createTrap } from '../../../test/hostileObjects.ts'
import { ChainError, readErrorCodes, SignInError, toWalletKitError, WalletKitError } from './errors.ts'

test.each([
  ['4001', { code: 4001, message: 'no' }, 'UserRejectedError'],
  ['4001 as text', { code: '4001' }, 'UserRejectedError'],
  ['the relay says no with 5000', { code: 5000, message: 'User rejected.' }, 'UserRejectedError'],
  ['the upgrade of the account is rejected', { code: 5750, message: 'Rejected upgrade.' }, 'UserRejectedError'],
  ['the relay lost the code', new Error('User rejected the request.'), 'UserRejectedError'],
  ['a wallet that names itself first', new Error('Acme: user declined'), 'UserRejectedError'],
  ['MetaMask Tx Signature', new Error('User denied transaction signature.'), 'UserRejectedError'],
  [
    'a rejection inside an internal error',
    { code: -32603, data: { originalError: { code: 4001 } } },
    'UserRejectedError',
  ],
  [
    'a rejection whose data say something else',
    { code: -32603, message: 'User rejected the request.', data: { message: 'Internal' } },
    'UserRejectedError',
  ],
  [
    'an open request whose data say something else',
    { message: 'already pending', data: { message: 'x' } },
    'RequestPendingError',
  ],
  ['-32002', { code: -32002, message: 'Request already pending' }, 'RequestPendingError'],
  ['4902', { code: 4902 }, 'ChainError'],
  ['4100', { code: 4100 }, 'WalletNotAvailableError', 'unauthorized'],
  [
    'MetaMask has not authorized the account',
    { code: 4100, message: 'The requested account and/or method has not been authorized by the user.' },
    'WalletNotAvailableError',
    'unauthorized',
  ],
  ['viem around 4100', new UnauthorizedProviderError(new Error('Locked')), 'WalletNotAvailableError', 'unauthorized'],
  ['the bridge lost the code 4100', new Error('The method has not been authorized by the user.'), 'WalletKitError'],
  ['4900', { code: 4900 }, 'WalletNotAvailableError', 'offline'],
  ['4901', { code: 4901 }, 'WalletNotAvailableError', 'offline'],
  ['an error that only mentions a user', new Error('The user service is down'), 'WalletKitError'],
  ['anything else', { code: -32000, message: 'boom' }, 'WalletKitError'],
  ['text', 'boom', 'WalletKitError'],
  ['blank text', ' \n', 'WalletKitError'],
  ['nothing', undefined, 'WalletKitError'],
])('behavior: %s', (_, thrown, name, reason?: string) => {
  const error = toWalletKitError(thrown)
  expect(error.name).toBe(name)
  if (error.name === 'WalletNotAvailableError') expect(error.reason).toBe(reason)
  expect(error.shortMessage.trim()).not.toBe('')
})

/** Ways in which wallets, bridges and libraries pass on the error of another one. */
const wrappers: ((error: unknown) => unknown)[] = [
  (data) => ({ code: -32603, message: 'Internal JSON-RPC error.', data }),
  (originalError) => ({ code: -32603, message: '内部错误', data: { originalError } }),
  (cause) => new Error('Đã xảy ra lỗi', { cause }),
  (error) => ({ error }),
  (error) => ({ code: 'UNKNOWN_ERROR', info: { error } }),
  (error) => ({ error: { error } }),
  (originalError) => Object.assign(new Error('Request failed'), { originalError }),
  (error) => new InternalRpcError(error as never),
  (error) => new UnknownRpcError(error as never),
  (error) => JSON.stringify(error),
  (error) => ({ code: -32603, message: `Internal JSON-RPC error.\n${JSON.stringify(error, null, 2)}` }),
]
const wrap = (error: unknown, ways: typeof wrappers) => ways.reduce((inner, way) => way(inner), error)
const anyWords = fc.constantFrom('', 'no', '请求失败', 'Yêu cầu không thành công', 'Запрос не выполнен')

test.each([
  [[4001, '4001', 'ACTION_REJECTED', 5000, 5002, 5750], 'UserRejectedError'],
  [[-32002, '-32002'], 'RequestPendingError'],
  [[4902], 'ChainError'],
  [[4100, 4900, '4901'], 'WalletNotAvailableError'],
] as const)('property: the code %j counts in any language, however an error is wrapped', (codes, name) => {
  const ways = fc.array(fc.constantFrom(...wrappers.slice(0, -2)), { maxLength: 3 })
  // Text holds only errors that JSON can express.
  const shapes = fc.tuple(ways, fc.subarray(wrappers.slice(-2), { maxLength: 1 }))
  fc.assert(
    fc.property(fc.constantFrom<unknown>(...codes), anyWords, shapes, (code, message, [outer, text]) => {
      expect(toWalletKitError(wrap({ code, message }, [...text, ...outer])).name).toBe(name)
    }),
  )
})

test.each([
  'User rejected the request.',
  'The request was cancelled by the user.',
  'Error: user has denied the request',
  '用户拒绝了请求',
  '用戶已取消操作',
  '使用者拒絕了簽署',
  'Người dùng đã từ chối yêu cầu',
  'cancelled',
  'Canceled.',
  '已取消',
  '取消',
])('behavior: only the words of a rejection: %s', (message) => {
  for (const shape of [message, new Error(message), { code: -32000, message }, { error: { message } }])
    expect(toWalletKitError(shape).name).toBe('UserRejectedError')
})

test.each([
  '服务器拒绝连接',
  'Connection rejected',
  'The block was rejected by the node',
  'Transaction cancelled: nonce too low',
  'user service denied',
])('behavior: words of another failure: %s', (message) => {
  expect(toWalletKitError({ code: -32603, message }).name).toBe('WalletKitError')
})

test('keeps the message and the error of the wallet', () => {
  const thrown = { code: -32000, message: 'insufficient funds' }
  expect(toWalletKitError(thrown)).toMatchObject({ details: 'insufficient funds', cause: thrown })
})

const reverted = {
  code: -32603,
  message: 'Internal JSON-RPC error.',
  data: { code: 3, message: 'execution reverted: paused' },
}

test.each<[string, unknown, string]>([
  ['a revert inside an internal error', reverted, 'execution reverted: paused'],
  ['the same, wrapped by viem', new InternalRpcError(reverted as never), 'execution reverted: paused'],
  ['a text, wrapped by viem', new UnknownRpcError('boom: ledger is locked' as never), 'boom: ledger is locked'],
  [
    'an unsupported method, wrapped by viem',
    new UnsupportedProviderMethodError({ code: 4200, message: 'Ledger says: blind signing is off' } as never),
    'Ledger says: blind signing is off',
  ],
  [
    'an error without a code, wrapped by viem',
    new UnknownRpcError(new Error('Extension context invalidated.')),
    'Extension context invalidated.',
  ],
  ['data that is only hex', { code: 3, message: 'execution reverted', data: '0x08c379a0' }, 'execution reverted'],
  ['an error inside an object', { error: { message: 'no funds' } }, 'no funds'],
])('behavior: details say what the wallet said: %s', (_, thrown, details) => {
  expect(toWalletKitError(thrown).details).toBe(details)
  expect(new SignInError('signing', thrown).details).toBe(details)
})

test('behavior: the sentence is viem’s, and details are the body of the answer', () => {
  const thrown = new HttpRequestError({ url: 'https://node.example', status: 502, details: '<html>502</html>' })
  expect(toWalletKitError(thrown)).toMatchObject({ shortMessage: 'HTTP request failed.', details: '<html>502</html>' })
})

test('an error of the kit is not wrapped again', () => {
  const error = new ChainError('no')
  expect(toWalletKitError(error)).toBe(error)
  expect(error).toBeInstanceOf(WalletKitError)
})

test('behavior: getters that throw, and errors that contain themselves', () => {
  const trap = Object.defineProperty({}, 'code', {
    get: () => {
      throw new Error('trap')
    },
  })
  expect(toWalletKitError(trap).name).toBe('WalletKitError')
  const circle: Record<string, unknown> = { code: 1 }
  circle.cause = circle
  expect(readErrorCodes(circle)[0]).toBe(1)
})

test.each([
  ['of which nothing can be asked', () => createTrap(new Error('trap'))],
  ['that is a revoked proxy', () => createRevoked({})],
  ['whose data contain themselves', () => createCircle('data')],
  ['with a symbol for a code', () => ({ code: Symbol('4001'), message: Symbol('no') })],
  ['with an object for a code', () => ({ code: Object.create(null), message: {} })],
])('behavior: an error %s', (_, create) => {
  expect(toWalletKitError(create()).name).toBe('WalletKitError')
})

test('property: any thrown value becomes a WalletKitError with a message', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      const error = toWalletKitError(thrown)
      expect(error).toBeInstanceOf(WalletKitError)
      expect(error.shortMessage.trim()).not.toBe('')
    }),
  )
})
