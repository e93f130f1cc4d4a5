import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createResolve, isPublicAddress, parseWebhookUrl, resolveTarget, WebhookTargetError } from './sendWebhook.ts'

const { signal } = new AbortController()
const never = async () => {
  throw new Error('A literal address is not resolved.')
}

test.each([
  // Loopback, in the notations that URLs allow.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  // Unspecified, private, shared, link-local and metadata.
  'https://0.0.0.0/',
  'https://0/',
  'https://[::]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.127.255.255/',
  'https://169.254.169.254/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  // Special, documentation, benchmarking, multicast, broadcast, reserved.
  'https://192.0.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  // Forms of IPv6 that carry an IPv4 address.
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[::ffff:0:127.0.0.1]/',
])('attack: %s is refused, as a URL and when it is resolved', async (text) => {
  expect(() => parseWebhookUrl(text, 'public')).toThrow(WebhookTargetError)
  await expect(resolveTarget(new URL(text), { scope: 'public', resolve: never, signal })).rejects.toThrow(
    WebhookTargetError,
  )
})

test.each([
  ['http://hooks.example/', 'begin with https'],
  ['ftp://hooks.example/', 'begin with https'],
  ['file:///etc/passwd', 'begin with https'],
  ['https://me@hooks.example/', 'user or a password'],
  ['https://:secret@hooks.example/', 'user or a password'],
  ['https://hooks.example:22/', 'port'],
  ['https://hooks.example:80/', 'port'],
  ['https://hooks.example:1023/', 'port'],
  ['nothing', 'not a URL'],
  ['https://', 'not a URL'],
])('error: %s', (text, reason) => {
  expect(() => parseWebhookUrl(text, 'public')).toThrow(reason)
})

test.each([
  'https://hooks.example/path?x=1',
  'https://hooks.example:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1]/',
])('behavior: %s is allowed', (text) => {
  expect(parseWebhookUrl(text, 'public').href).toBe(text)
})

test.each([
  ['one address is loopback', ['93.184.216.34', '127.0.0.1']],
  ['the metadata address', ['169.254.169.254']],
  ['the host service of Azure', ['168.63.129.16']],
  ['a mapped address', ['::ffff:10.0.0.1']],
  ['a link-local address with its zone', ['fe80::1%eth0']],
  ['no address', ['localhost']],
  ['none', []],
])('attack: a host that resolves to %s is refused', async (_, addresses) => {
  const target = resolveTarget(new URL('https://hooks.example/'), {
    scope: 'public',
    resolve: async () => addresses,
    signal,
  })
  await expect(target).rejects.toThrow('The host is unknown, or does not lead to public addresses.')
})

test('behavior: a host is resolved once, to the addresses to connect to', async () => {
  let asked = 0
  const resolve = async () => [['93.184.216.34', '2606:4700::1'], ['127.0.0.1']][asked++] ?? []
  expect(await resolveTarget(new URL('https://hooks.example/'), { scope: 'public', resolve, signal })).toEqual([
    '93.184.216.34',
    '2606:4700::1',
  ])
  expect(asked).toBe(1)
})

test('behavior: with `any`, private addresses and http are allowed', async () => {
  const url = parseWebhookUrl('http://127.0.0.1:8080/', 'any')
  expect(await resolveTarget(url, { scope: 'any', resolve: never, signal })).toEqual(['127.0.0.1'])
  expect(() => parseWebhookUrl('http://me@127.0.0.1/', 'any')).toThrow(WebhookTargetError)
})

test('isPublicAddress', () => {
  expect(['8.8.8.8', '2606:4700::1'].map(isPublicAddress)).toEqual([true, true])
  expect(['', 'x', '127.0.0.1', '4000::1'].map(isPublicAddress)).toEqual([false, false, false, false])
})

test('attack: a name server that keeps silent is cancelled with the delivery', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const delivery = new AbortController()
  silent.once('message', () => delivery.abort())
  // Otherwise it is asked again for more than 20 seconds.
  const startedAt = performance.now()
  expect(await createResolve([`127.0.0.1:${silent.address().port}`])('hooks.example', delivery.signal)).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  silent.close()
})
