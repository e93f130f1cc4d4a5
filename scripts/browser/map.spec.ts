import { readFile } from 'node:fs/promises'
import { getAddress } from 'viem'
import { api, communityId, expect, reload, scrollToMap, test, visit } from './product.ts'

const root = getAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`

/** Returns the largest leg of a member. */
async function largestLegOf(address: typeof root) {
  const { items } = await api.teamMap(communityId, address)
  const legs = items.filter(({ parent }) => parent === 0).toSorted((a, b) => b.members - a.members)
  if (!legs[0]) throw new Error('The member has no leg.')
  return legs[0]
}

test('behavior: a map is read with the keyboard, and its link leads to the same leg', async ({ page }) => {
  const leg = await largestLegOf(root)
  await visit(page, `/referrals?address=${root}&view=map`)
  const items = page.getByRole('tree').getByRole('treeitem')
  await items.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[role="treeitem"]:focus')).toHaveAccessibleName(new RegExp(`^${shorten(leg.address)}`))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`leg=${leg.address}`))
  await expect(items.first()).toHaveAccessibleName(new RegExp(leg.address))
  await expect(page.locator('[role="treeitem"]:focus')).toHaveAccessibleName(new RegExp(leg.address))

  await reload(page)
  await expect(items.first()).toHaveAccessibleName(new RegExp(leg.address))
  await items.first().focus()
  await page.keyboard.press('Escape')
  await expect(items.first()).toHaveAccessibleName(new RegExp(root))
})

test('behavior: no cell leaves the picture on a phone, and a tap zooms in', async ({ page }) => {
  const leg = await largestLegOf(root)
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, `/referrals?address=${root}&view=map`)
  const picture = page.getByRole('tree')
  await expect(picture.getByRole('treeitem').first()).toBeVisible()
  // Cells move to their places once the width is known.
  const findRight = () =>
    picture
      .locator('.area')
      .evaluateAll((areas) => Math.max(...areas.map((area) => area.getBoundingClientRect().right)))
  await expect.poll(findRight).toBeLessThanOrEqual(370.5)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await picture.getByRole('treeitem', { name: shorten(leg.address) }).click()
  await expect(page).toHaveURL(new RegExp(`leg=${leg.address}`))
})

test('behavior: the map of the network by volume says that it leaves out other addresses', async ({ page }) => {
  const note = page.getByText(/without the volume of addresses that are not members/)
  const open = async (query: string) => {
    await visit(page, `/metrics?lang=en&${query}`)
    await scrollToMap(page)
  }
  await open('by=volume')
  await page.getByText('How to read it').click()
  await expect(note).toBeVisible()
  await open(`by=volume&leg=${root}`)
  await expect(page.getByRole('tree').getByRole('treeitem').first()).toHaveAccessibleName(new RegExp(root))
  await expect(note).toHaveCount(0)
})

test('behavior: a member’s card and a chart are saved as pictures', async ({ page }) => {
  await visit(page, `/?address=${root}`)
  await page.getByRole('button', { name: '更多操作' }).click()
  await page.getByRole('menuitem', { name: '名片图' }).click()
  const card = page.waitForEvent('download')
  await page.getByRole('button', { name: /^保存\s?PNG$/ }).click()
  const png = await readFile(await (await card).path())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  await page.getByRole('button', { name: '关闭' }).click()

  const chart = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^保存图表/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /SVG/ }).click()
  const svg = await readFile(await (await chart).path(), 'utf8')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+"/)
  expect(svg).not.toMatch(/var\(|class=|https?:\/\/(?!www\.w3\.org)/)
})

test('behavior: the card of a past block shows its figures', async ({ page }) => {
  const { items } = await api.memberEvents(communityId, root, { kind: 'referral' })
  const block = items.at(-1)?.block
  if (block === undefined) throw new Error('The root has no direct.')
  const { directs, team } = await api.member(communityId, root, { asOf: String(block) })
  await visit(page, `/?address=${root}&asOf=${block}&lang=en`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Card' }).click()
  const [picture, count] = [page.getByRole('img', { name: 'Card of' }), new Intl.NumberFormat('en').format]
  await expect(picture).toHaveAccessibleName(new RegExp(`As of .* \\(block ${count(block)}\\), Team ${count(team)},`))
  await expect(picture).toHaveAccessibleName(new RegExp(`Directs ${count(directs)}$`))
})

/** Returns the growth of the network in 30 days in tenths of a percent, which other tests and the clock change. */
async function networkGrowth() {
  const { members, last30d } = await api.metrics(communityId)
  return Math.round((last30d.members / (members - last30d.members)) * 1_000)
}

test('behavior: a saved map has its community, block and legend', async ({ page }) => {
  const before = await networkGrowth()
  await visit(page, `/referrals?address=${root}&view=map&lang=en`)
  await expect(page.getByRole('tree').getByRole('treeitem').first()).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Save the chart “Downstream of / }).click()
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click()
  await page.setContent(await readFile(await (await file).path(), 'utf8'))
  const { asOf } = await api.teamMap(communityId, root)
  const texts = await page.locator('text').allTextContents()
  expect(texts[0]).toBe(`Downstream of ${shorten(root)}, by members`)
  expect(texts[2]).toMatch(new RegExp(`^Block [0-9,]+ · .*${new Date(asOf.timestamp * 1_000).getUTCFullYear()}`))
  const legend = texts.join('\n').match(/^Colour: growth in 30 days, against ([\d.]+)% of the network$/m)
  const growth = Math.round(Number(legend?.[1]) * 10)
  const range = [before, await networkGrowth()]
  expect(growth).toBeGreaterThanOrEqual(Math.min(...range))
  expect(growth).toBeLessThanOrEqual(Math.max(...range))
  for (const text of ['below', 'above', 'other legs']) await expect(page.getByText(text, { exact: true })).toBeVisible()
  // Each step of growth is drawn in its own colour.
  const steps = await page
    .locator('svg svg svg rect[height="14"]:first-of-type')
    .evaluateAll((rects) => rects.map((rect) => rect.getAttribute('fill')))
  expect(new Set(steps.slice(0, 5)).size).toBe(5)
})

test('behavior: the HTML of a link describes its member without scripts', async ({ request }) => {
  // No other test looks up or changes this member: previews are cached for a minute.
  const leg = (await api.teamMap(communityId, root)).items.findLast(({ parent }) => parent === 0)
  if (!leg) throw new Error('The root has no leg.')
  // A page does not wait long for its preview.
  await expect(async () => {
    const html = await (await request.get(`/?address=${leg.address}&lang=en`)).text()
    expect(html).toContain(`<meta property="og:title" content="${shorten(leg.address)} · `)
    const description = /property="og:description" content="([^"]*)"/.exec(html)?.[1]
    expect(description).toContain(`Direct referrals: ${leg.directs} `)
  }).toPass()
})
