import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { renderApp } from '../../../test/renderApp.tsx'

const forest = createForest()
const root = addressOf(0)
/** Has more than a hundred direct referrals. */
const star = addressOf(forest.second)
let closing: (() => Promise<void>) | undefined

const open = async (path: string) => {
  const { close } = await renderApp(path, { language: 'en' })
  closing = close
}
afterEach(async () => {
  vi.unstubAllGlobals()
  await closing?.()
  closing = undefined
})
const print = () => act(async () => void window.dispatchEvent(new Event('beforeprint')))

test('behavior: a chart of a wide screen fits on paper', async () => {
  const contentRect = { width: 1_152 }
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe: () => void
      constructor(onResize: (entries: { contentRect: typeof contentRect }[]) => void) {
        this.observe = () => onResize([{ contentRect }])
      }
      unobserve() {}
      disconnect() {}
    },
  )
  await open('/metrics')
  const chart = await screen.findByRole('slider', { name: /^Members/ })
  const width = () => chart.querySelector('svg')?.getAttribute('width')
  await expect.poll(width).toBe('1152')
  await print()
  expect(width()).toBe('640')
})

test('behavior: a tree says in print how many of the direct referrals it shows', async () => {
  await open(`/referrals?address=${star}`)
  const more = await screen.findByRole('treeitem', { name: /shown\. Show/ })
  const [directs = []] = forest.levels(forest.second)
  expect(more.dataset.printed).toBe(`20 / ${directs.length} directs`)
})

test('behavior: a table of members says in print how many of them it has', async () => {
  await open(`/referrals?address=${root}&level=all`)
  await screen.findByRole('table', { name: 'All' })
  const members = forest.levels(0).flat().length.toLocaleString('en')
  expect(await screen.findByText(new RegExp(`^200 / ${members} `))).toBeTruthy()
})

test('behavior: a relation names both addresses in print', async () => {
  const other = addressOf(1)
  await open(`/referrers?view=relation&address=${root}&to=${other}`)
  for (const [name, address] of [['Address A', root] as const, ['Address B', other] as const])
    expect((await screen.findAllByText(name)).some((one) => one.dataset.printed === address)).toBe(true)
})
