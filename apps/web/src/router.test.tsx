import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { addressOf, createForest } from '../test/forest.ts'
import { announced, renderApp } from '../test/renderApp.tsx'
import texts from './locales/zh-CN.ts'
import { lookupNames, pages } from './paths.ts'

const big = addressOf(1)
const plain = (text: string) => text.replaceAll('\u2009', ' ')
let closing: (() => Promise<void>) | undefined

const open = async (...parameters: Parameters<typeof renderApp>) => {
  const app = await renderApp(...parameters)
  closing = app.close
  return app
}

afterEach(async () => {
  await closing?.()
  closing = undefined
})

test.each(lookupNames)('behavior: the link to %s in the bar, in its place, leads to its page', async (name) => {
  await open('/nowhere')
  const [bar] = await screen.findAllByRole('navigation', { name: '查询' })
  const link = within(bar as HTMLElement).getAllByRole('link')[lookupNames.indexOf(name)] as HTMLElement
  expect([link.textContent, link.getAttribute('href')]).toEqual([texts[`nav.${name}`], pages[name].path])
  await act(async () => link.click())
  expect(await screen.findByRole('heading', { level: 1, name: texts[`ask.${name}`] })).toBeTruthy()
})

test('behavior: a pasted address is looked up at once', async () => {
  await open('/')
  const field = await screen.findByRole('textbox', { name: '地址' })
  expect(field).toBe(document.activeElement)
  // The code of the answer loads, which an event of `userEvent` does not wait for.
  await act(async () => userEvent.paste(`  ${big.toLowerCase()}\n`))
  expect(await screen.findByText('大区与小区')).toBeTruthy()
  expect((screen.getByRole('textbox', { name: '地址' }) as HTMLInputElement).value).toBe(big)
  expect(document.title).toContain('社区查询')
  expect(document.activeElement).toBe(field)
  const answer = document.title.replace(' · Lineage', '')
  await waitFor(() => expect(announced().map(plain)).toContainEqual(expect.stringMatching(`^${answer} · 团队 \\d`)))
})

test.each([
  [`/referrals?address=${addressOf(2)}`, /直推 \d.* 团队 \d/],
  [`/referrers?address=${addressOf(2)}`, /\d 位上级推荐人/],
  [`/search?address=${addressOf(2)}`, /的成员/],
  ['/metrics', / · [\d,]+ 名成员/],
  ['/metrics?asOf=2026-06-01', / · [\d,]+ 名成员/],
  [`/?address=${addressOf(2)}&asOf=2026-06-01`, / · 团队 \d/],
])('accessibility: the answer of %s is announced with its main figure', async (path, figure) => {
  await open(path)
  await waitFor(() => expect(announced().map(plain)).toContainEqual(expect.stringMatching(figure)))
})

test('behavior: following a link to another address focuses the heading', async () => {
  await open(`/?address=${big}`)
  const direct = await screen.findByRole('region', { name: '直推成员' })
  const [other] = await within(direct).findAllByRole('button', { name: /0x/ })
  other?.focus()
  // The code of the menu loads, which an event of `userEvent` does not wait for.
  await act(async () => other?.click())
  await userEvent.click(await screen.findByRole('menuitem', { name: '查看社区' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: '社区查询' })))
})

test('accessibility: what the menu of an address saves is announced', async () => {
  await open(`/?address=${big}`)
  const choose = async (name: string) => {
    const more = await screen.findByRole('button', { name: '更多操作' })
    // The code of the menu loads, which an event of `userEvent` does not wait for.
    await act(async () => more.click())
    const item = await screen.findByRole('menuitem', { name })
    // The labels load too.
    await waitFor(() => expect(item.ariaDisabled).not.toBe('true'))
    await act(async () => item.click())
  }
  await choose('关注')
  await waitFor(() => expect(announced()).toContain('已保存到备注与关注'))
  await choose('取消关注')
  await waitFor(() => expect(announced()).toContain('已从备注与关注中删除'))
})

test('behavior: an invalid address is reported while typing', async () => {
  await open('/')
  const field = await screen.findByRole('textbox', { name: '地址' })
  await userEvent.type(field, '0x12')
  expect(screen.getByText('还差 38 位', { normalizer: plain })).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('false')
  await userEvent.type(field, 'z')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText(/不会出现在地址里/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '清空' }))
  expect((field as HTMLInputElement).value).toBe('')
  expect(document.activeElement).toBe(field)
})

test('accessibility: how much is missing is not announced while an address is typed, but after Enter', async () => {
  await open('/')
  const field = await screen.findByRole('textbox', { name: '地址' })
  const said = () => {
    const below = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    return below?.ariaLive === 'off' ? '' : plain(below?.textContent ?? '')
  }
  await userEvent.type(field, '0x12')
  expect(said()).toBe('')
  await userEvent.keyboard('{Enter}')
  expect(said()).toBe('地址不完整，还差 38 位。地址是 0x 加 40 位。')
  await userEvent.type(field, 'z')
  expect(said()).toMatch(/不会出现在地址里/)
})

test('behavior: an invalid address in the URL is reported in the field', async () => {
  await open('/referrers?address=0x12zz')
  const field = await screen.findByRole('textbox', { name: '地址' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('behavior: not a member', async () => {
  await open('/?address=0x000000000000000000000000000000000000dEaD')
  expect(await screen.findByRole('heading', { name: '不在这个社区里' })).toBeTruthy()
  expect(screen.getByText(/没有有效的绑定记录/, { normalizer: plain })).toBeTruthy()
})

test('behavior: while indexing the page shows progress, then the answer', async () => {
  const { api } = await open(`/?address=${big}`, { mode: 'indexing' })
  const bar = await screen.findByRole('progressbar')
  expect(bar.getAttribute('aria-valuenow')).toBe('42')
  api.state.mode = 'ready'
  expect(await screen.findByText('大区与小区')).toBeTruthy()
})

test('behavior: unreachable, and Retry works when the API is back', async () => {
  const { api } = await open(`/?address=${big}`, { mode: 'silent' })
  const retry = await screen.findByRole('button', { name: '重试' })
  expect(screen.getByRole('heading', { name: '连不上查询服务' })).toBeTruthy()
  await userEvent.click(retry)
  await waitFor(() => expect(retry.ariaDisabled).toBe('true'))
  // `disabled` would drop the focus.
  expect((retry as HTMLButtonElement).disabled).toBe(false)
  await screen.findByRole('button', { name: '重试' })
  api.state.mode = 'ready'
  await userEvent.click(retry)
  expect(await screen.findByText('大区与小区')).toBeTruthy()
})

test('behavior: the last answer stays with a note when the API fails', async () => {
  const { api } = await open('/metrics')
  expect(await screen.findByRole('heading', { name: '前十名' })).toBeTruthy()
  api.state.mode = 'broken'
  expect(await screen.findByText(/连不上查询服务，显示的是/)).toBeTruthy()
  expect(screen.getByRole('heading', { name: '前十名' })).toBeTruthy()
})

test('behavior: a new block appears without a reload', async () => {
  const { api } = await open('/metrics')
  const members = await screen.findByRole('region', { name: '成员' })
  expect(within(members).getByText('1,600')).toBeTruthy()
  api.state.block += 5
  await waitFor(() => expect(within(screen.getByRole('region', { name: '成员' })).getByText('1,605')).toBeTruthy())
  expect(announced().map(plain)).toContain('新增 5 名成员，共 1,605 名')
})

test('accessibility: the levels are one tab stop, and arrow keys move between them', async () => {
  await open(`/referrals?address=${addressOf(0)}`, { language: 'en' })
  const levels = within(await screen.findByRole('toolbar', { name: 'Levels' })).getAllByRole('button')
  const stops = () => levels.filter((button) => button.tabIndex === 0)
  expect(stops()).toHaveLength(1)
  levels[0]?.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
  expect(document.activeElement).toBe(levels[1])
  expect(stops()).toEqual([levels[1]])
  await userEvent.keyboard('{End}{ArrowRight}')
  expect(document.activeElement).toBe(levels.at(-1))
})

test('behavior: the tree opens level by level with the keyboard, and is one tab stop', async () => {
  await open(`/referrals?address=${addressOf(0)}`, { language: 'en' })
  const nodes = () => screen.queryAllByRole('treeitem')
  await waitFor(() => expect(nodes().length).toBeGreaterThan(2))
  const before = nodes().length
  expect(nodes().filter((node) => node.tabIndex === 0)).toEqual([nodes()[0]])
  nodes()[0]?.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(nodes()[1])
  expect(nodes().filter((node) => node.tabIndex === 0)).toEqual([nodes()[1]])
  await userEvent.keyboard('{ArrowRight}')
  await waitFor(() => expect(nodes().length).toBeGreaterThan(before))
  expect(nodes()[1]?.ariaExpanded).toBe('true')
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement?.getAttribute('aria-level')).toBe('3')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await waitFor(() => expect(nodes().length).toBe(before))
  await userEvent.keyboard('{Home}')
  expect(document.activeElement).toBe(nodes()[0])
})

test('behavior: 120 directs open twenty at a time, and the focus stays in place', async () => {
  const { second } = createForest()
  await open(`/referrals?address=${addressOf(second)}`, { language: 'en' })
  const nodes = () => screen.queryAllByRole('treeitem')
  const more = await screen.findByRole('treeitem', { name: '20 shown. Show 20 more' })
  more.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('treeitem', { name: /40 shown/ })
  expect(document.activeElement).toBe(nodes()[20])
  expect(Number(nodes()[21]?.getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(120)
})

test('behavior: the tree offers as many directs as remain', async () => {
  const { second, rows } = createForest()
  expect(rows[second]?.children).toHaveLength(126)
  await open(`/referrals?address=${addressOf(second)}`, { language: 'en' })
  for (const shown of [20, 40, 60, 80, 100])
    await userEvent.click(await screen.findByRole('button', { name: `${shown} shown. Show 20 more` }))
  expect(await screen.findByRole('button', { name: '120 shown. Show 6 more' })).toBeTruthy()
})

test('behavior: the summary of one direct referral has no plural', async () => {
  const { rows } = createForest()
  const index = rows.findIndex(({ children, team }) => children.length === 1 && team === 1)
  await open(`/referrals?address=${addressOf(index)}`, { language: 'en' })
  expect(await screen.findByText('Directs 1 · Team 1 · Levels 1')).toBeTruthy()
})

test('error: a page of the tree that fails to load can be retried', async () => {
  const { api } = await open(`/referrals?address=${addressOf(0)}`, { language: 'en' })
  const nodes = () => screen.queryAllByRole('treeitem')
  await waitFor(() => expect(nodes().length).toBeGreaterThan(2))
  api.state.mode = 'broken'
  nodes()[1]?.focus()
  await userEvent.keyboard('{ArrowRight}')
  const retry = await screen.findByRole('treeitem', { name: 'Could not load. Retry' })
  api.state.mode = 'ready'
  retry.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('treeitem', { name: /Could not load/ })).toBeNull())
})

test('behavior: jumps in an upline of 301 by depth, by address and to the root', async () => {
  const { deepest, rows } = createForest()
  await open(`/referrers?address=${addressOf(deepest)}`, { language: 'en' })
  const list = await screen.findByRole('list', { name: 'From this address to the root' })
  const here = () => document.activeElement
  const isAt = (depth: number, text: RegExp) =>
    waitFor(() => {
      expect(here()?.getAttribute('aria-posinset')).toBe(String(302 - depth))
      expect(here()?.getAttribute('aria-busy')).toBe('false')
      expect(here()?.textContent).toMatch(text)
    })
  expect(within(list).getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('302')

  await userEvent.click(screen.getByRole('button', { name: 'Jump to root' }))
  await isAt(0, new RegExp(`Root.*${addressOf(0).slice(-4)}`))
  const field = screen.getByRole('textbox', { name: 'Find a referrer' })
  const find = async (text: string) => {
    await userEvent.clear(field)
    await userEvent.type(field, `${text}{Enter}`)
  }
  await find('150')
  await isAt(150, /Depth 150/)
  const above = rows[rows[deepest]?.referrer ?? 0]?.address ?? ''
  await find(above)
  await isAt(300, new RegExp(`Depth 300.*${above.slice(-4)}`))
  for (const [text, problem] of [
    ['302', 'Enter a depth from 0 to 301.'],
    ['0x12', 'Enter a depth or a full address.'],
    [addressOf(2), 'This address is not an upstream referrer.'],
    ['0x000000000000000000000000000000000000dEaD', 'This address is not an upstream referrer.'],
  ] as const) {
    await find(text)
    expect(await screen.findByText(problem)).toBeTruthy()
  }
})

test('error: a page of the upline that fails to load can be retried', async () => {
  const { deepest } = createForest()
  const { api } = await open(`/referrers?address=${addressOf(deepest)}`, { language: 'en', brokenOn: 'skip=300&' })
  await userEvent.click(await screen.findByRole('button', { name: 'Jump to root' }))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByRole('alert').textContent).toContain('Could not load.')
  api.state.brokenOn = undefined
  await userEvent.click(retry)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('behavior: styles of a link that looks like a button are no attribute of it', async () => {
  await open('/search')
  const link = await screen.findByText('批量查询')
  const button = link.closest('a') as HTMLElement
  expect(getComputedStyle(button).minHeight).toBe('44px')
  expect(button.outerHTML).not.toContain('[object')
})

test('behavior: no such page', async () => {
  await open('/nowhere')
  expect(await screen.findByRole('heading', { name: '页面不存在' })).toBeTruthy()
})

test.each([
  `/?address=${big}&community=other`,
  '/?community=other',
  '/search?community=other',
  '/referrals?community=other',
])('behavior: no such community, at %s', async (link) => {
  await open(link)
  expect(await screen.findByRole('heading', { name: '没有这个社区' })).toBeTruthy()
})

test.each([
  ['minTeam=5&asof=9&utm_source=a&from=groupmessage', /“minTeam”和“asof”在本页没有作用/],
  ['tz=Asia/Beijing', /“tz”在本页没有作用/],
])(
  'behavior: a page says which parameters of %s have no effect, but not of those that apps add',
  async (link, text) => {
    await open(`/metrics?${link}`)
    expect(await screen.findByText(text)).toBeTruthy()
  },
)
