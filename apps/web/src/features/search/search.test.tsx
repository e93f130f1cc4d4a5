import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'

const member = addressOf(1)
const stranger = '0x000000000000000000000000000000000000dEaD'
let closing: (() => Promise<void>) | undefined

const open = async (path: string, state: Parameters<typeof renderApp>[1] = {}) => {
  const app = await renderApp(path, { language: 'en', ...state })
  closing = app.close
  return app
}
afterEach(async () => {
  await closing?.()
  closing = undefined
})

const address = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Address' })
const table = () => screen.findByRole('table', { name: 'Results' })
const row = async (short: string) => within(await table()).getByRole('row', { name: new RegExp(`^.{0,2}${short}`) })

test('behavior: a prefix suggests members while typing; the keyboard picks one', async () => {
  await open(`/search?address=${stranger}`)
  await screen.findByText('Not a member of 青禾社区')
  const field = await address()
  expect(field.getAttribute('aria-expanded')).toBe('false')
  await userEvent.clear(field)
  await userEvent.type(field, member.slice(0, 8))
  const [option] = await screen.findAllByRole('option')
  expect(option?.textContent).toContain(member)
  expect(field.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByText('1 member').closest('[role="status"]')).toBeTruthy()
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Members found' }).id)

  await userEvent.keyboard('{ArrowDown}')
  expect(field.getAttribute('aria-activedescendant')).toBe(option?.id)
  expect(option?.getAttribute('aria-selected')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(field.value).toBe(member.slice(0, 8))
  await userEvent.keyboard('{ArrowDown}')
  await screen.findByRole('option')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(field.value).toBe(member))
  expect(await screen.findByText('Member of 青禾社区')).toBeTruthy()
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('behavior: a prefix without members, and a single digit, which is not searched', async () => {
  await open('/search')
  const field = await address()
  await userEvent.type(field, '0x0')
  expect(screen.queryByRole('listbox')).toBeNull()
  await userEvent.type(field, '00000')
  expect(await screen.findByText('No member address starts with 0x000000')).toBeTruthy()
})

test('behavior: a pasted list becomes a table', async () => {
  await open('/search')
  ;(await address()).focus()
  await userEvent.paste(`address,name\n${member},"Wang"\n${stranger}\n${member.toLowerCase()}\n0x1234\n${addressOf(0)}`)
  expect(await screen.findByText('Done. Addresses: 3 · Members: 2')).toBeTruthy()
  expect(screen.getByText('3 addresses · 1 duplicate merged').parentElement).toBe(document.activeElement)
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100')
  expect((await row(member.slice(0, 4))).textContent).toMatch(/Member.*Account.*0x73…3039.*\d/)
  expect((await row('0x00…dEaD')).textContent).toMatch(/Not a member/)
  expect((await row(addressOf(0).slice(0, 4))).textContent).toMatch(/Root/)
  expect(screen.getByText(/^Block [\d,]+ ·/)).toBeTruthy()
  const unread = screen.getByRole('region', { name: '1 entry is not a valid address' })
  expect(within(unread).getByRole('listitem').textContent).toMatch(/Line 5.*0x1234.*36 characters are missing/)
})

test.each([
  ['in two parameters', `/?address=${member}&address=${stranger}`],
  ['in one', `/search?view=list&address=${member},${stranger}`],
  ['of two members', `/referrers?view=relation&address=${member}%0A${stranger}`],
])('behavior: a link with several addresses %s opens their list', async (_, path) => {
  await open(path)
  expect(await screen.findByText('Done. Addresses: 2 · Members: 1')).toBeTruthy()
})

test.each([member, member.toLowerCase()])('behavior: a link with %s twice is one address', async (first) => {
  await open(`/search?address=${first}&address=${member}`)
  expect((await address()).value).toBe(member)
})

test('attack: a recovery phrase does not stay in a field, a draft or the history', async () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  await open(`/search?address=${words.replaceAll(' ', '+')}`)
  const field = await address()
  expect(await screen.findByText(/^This looks like a recovery phrase/)).toBeTruthy()
  expect(field.value).toBe('█████')
  await userEvent.clear(field)
  await userEvent.paste(`${member}\n${words}\n${stranger}`)
  const unread = await screen.findByRole('region', { name: '1 entry is not a valid address' })
  expect(within(unread).getByRole('listitem').textContent).toMatch(/Line 2█████This looks like a recovery phrase/)
  await userEvent.click(screen.getByRole('button', { name: 'Edit list' }))
  const area = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'List of addresses' })
  await userEvent.type(area, `\n${words} `)
  expect(area.value).toBe(`${member}\n█████\n${stranger}\n█████low `)
  expect(await screen.findByText(/^This looks like a recovery phrase/)).toBeTruthy()
  expect(sessionStorage.getItem('lineage.listDraft')).not.toContain('yellow')
  sessionStorage.clear()
})

test('behavior: rows sorted by a value, then as pasted again', async () => {
  await open('/search')
  ;(await address()).focus()
  await userEvent.paste([stranger, member, addressOf(0), addressOf(2)].join('\n'))
  expect(await screen.findByText('Done. Addresses: 4 · Members: 3')).toBeTruthy()
  const order = async () =>
    within(await table())
      .getAllByRole('row')
      .slice(1)
      .map((it) => /0x\w\w/.exec(it.textContent ?? '')?.[0])
  const pasted = [stranger, member, addressOf(0), addressOf(2)].map((it) => it.slice(0, 4))
  const team = screen.getByRole('button', { name: /Team/ })
  expect(await order()).toEqual(pasted)
  await userEvent.click(team)
  expect(await order()).toEqual([addressOf(0), member, addressOf(2), stranger].map((it) => it.slice(0, 4)))
  await userEvent.click(team)
  expect(await order()).toEqual([addressOf(2), member, addressOf(0), stranger].map((it) => it.slice(0, 4)))
  await userEvent.click(team)
  expect(await order()).toEqual(pasted)
})

test('error: failed rows are marked and can be retried', async () => {
  const { api } = await open('/search', { node: 'broken' })
  ;(await address()).focus()
  // The communities load before the index fails.
  await userEvent.type(await address(), '0xdead')
  await screen.findByText('No member address starts with 0xdead')
  api.state.mode = 'broken'
  await userEvent.paste(`${member}\n${stranger}`)
  const alert = await screen.findByRole('alert')
  await waitFor(() => {
    expect(alert.textContent).toContain('2 could not be looked up in the community. Lookup service unreachable')
    expect(alert.textContent).toContain('2 could not be read from the chain')
  })
  expect((await row(member.slice(0, 4))).textContent).toMatch(/Failed/)
  api.state.mode = 'ready'
  api.state.node = 'ready'
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Done. Addresses: 2 · Members: 1')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('behavior: over 500 addresses the first 500 are looked up; rows out of view are not rendered', async () => {
  await open('/search')
  await userEvent.click(await screen.findByRole('link', { name: 'Look up a list' }))
  const area = await screen.findByRole('textbox', { name: 'List of addresses' })
  expect(document.activeElement).toBe(area)
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
  expect(area.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(/No address found/)).toBeTruthy()
  area.focus()
  await userEvent.paste(Array.from({ length: 812 }, (_, index) => addressOf(index)).join('\n'))
  expect(await screen.findByText(/Only the first 500 addresses are looked up; 312 are left out/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
  expect(await screen.findByText('Done. Addresses: 500 · Members: 500')).toBeTruthy()
  expect(within(await table()).getAllByRole('row')).toHaveLength(51)
  await userEvent.click(screen.getByRole('button', { name: '50 more' }))
  expect(within(await table()).getAllByRole('row')).toHaveLength(101)
})

const paste = async (addresses: readonly string[]) => {
  const area = await screen.findByRole('textbox', { name: 'List of addresses' })
  area.focus()
  await userEvent.paste(addresses.join('\n'))
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
}

test('behavior: a list that is not looked up yet survives a reload, also one that is edited', async () => {
  const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'List of addresses' })
  let { view } = await open('/search?view=list')
  const reload = async () => {
    view.unmount()
    await closing?.()
    view = (await open('/search?view=list')).view
    return (await field()).value
  }
  await userEvent.type(await field(), `${member} and`)
  expect(await reload()).toBe(`${member} and`)
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
  await screen.findByText('Done. Addresses: 1 · Members: 1')
  await userEvent.click(screen.getByRole('button', { name: 'Edit list' }))
  await userEvent.type(await field(), ' more')
  expect(await reload()).toBe(`${member} and more`)
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
  expect(await reload()).toBe('')
})

test('behavior: stopping drops requests in flight; resuming looks up the rest', async () => {
  const { api } = await open('/search?view=list')
  let release = () => {}
  api.state.held = new Promise<void>((resolve) => {
    release = resolve
  })
  await paste(Array.from({ length: 250 }, (_, index) => addressOf(index)))
  await userEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Stopped; 250 not looked up')).toBeTruthy()
  expect(document.activeElement?.textContent).toBe('Resume')
  release()
  api.state.held = undefined
  await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByText('Done. Addresses: 250 · Members: 250')).toBeTruthy()
})

test('error: one of three batches fails, and only that one is retried', async () => {
  const { api } = await open('/search?view=list', { brokenOn: addressOf(150) })
  await paste(Array.from({ length: 250 }, (_, index) => addressOf(index)))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('100 could not be looked up in the community.')
  expect(await screen.findByText('Done. Addresses: 250 · Members: 150')).toBeTruthy()
  // Another batch would fail now.
  api.state.brokenOn = addressOf(50)
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Done. Addresses: 250 · Members: 250')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('behavior: names on chain are shown without a wallet', async () => {
  await open('/search?view=list', { names: { service: false, bnb: true } })
  await paste([addressOf(0), addressOf(1)])
  expect(await screen.findByText('qinghe.bnb')).toBeTruthy()
  expect((await row(addressOf(1).slice(0, 4))).textContent).toContain('qinghe.bnb')
  expect(screen.queryByText(/Connect a wallet/)).toBeNull()
})

test('behavior: the bind of a member and the contract lead to the explorer', async () => {
  await open(`/search?address=${member}`)
  const { tx, block } = createForest().member(1)
  const link = async (text: string) => (await screen.findByText(text, { selector: 'code' })).closest('a')?.href
  expect(await link(`${tx}`)).toBe(`https://bscscan.com/tx/${tx}`)
  const contract = screen.getByText('Contract').parentElement?.querySelector('code')?.textContent ?? ''
  expect(await link(contract)).toBe(`https://bscscan.com/address/${contract}`)
  expect(screen.getByText('Block of the bind').nextSibling?.textContent).toBe(
    new Intl.NumberFormat('en').format(block ?? 0),
  )
})
