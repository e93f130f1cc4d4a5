import { expect, test } from 'vitest'
import { toPlainError } from './toPlainError.ts'

test.each([
  [
    { code: 3, message: 'execution reverted: no', data: '0x08c379a0' },
    { code: 3, message: 'execution reverted', data: '0x08c379a0' },
  ],
  [
    { code: -32000, message: 'execution reverted' },
    { code: 3, message: 'execution reverted' },
  ],
  [
    { code: -32000, message: 'insufficient funds for gas: balance of key k3y' },
    { code: -32000, message: 'insufficient funds' },
  ],
  [
    { code: -32602, message: 'https://me:pass@node/k3y' },
    { code: -32602, message: 'The node refused the params.' },
  ],
  [
    { code: -32603, message: 'k3y reverted' },
    { code: -32603, message: 'The node failed. Try again later.' },
  ],
  [
    { code: -39_999, message: 'plan k3y is used up' },
    { code: -32000, message: 'The node refused the call.' },
  ],
  [
    { code: 3, data: 'k3y', message: {} },
    { code: 3, message: 'execution reverted' },
  ],
  [
    { code: -32000, message: 'k3y', data: '0x12' },
    { code: -32000, message: 'The node refused the call.' },
  ],
])('%j becomes %j', (error, plain) => expect(toPlainError(error)).toEqual(plain))
