import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, communityId, expect, test } from './product.ts'
import { stackEnvironment } from './stack.ts'

const known = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The process of the running product that executes `script`. */
function processOf(script: string): number {
  const { pid } = JSON.parse(
    readFileSync(join(stackEnvironment.LINEAGE_DATA_DIR, stackEnvironment.PORT, 'running.json'), 'utf8'),
  ) as { pid: number }
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .flatMap((found) => (found ? [{ pid: Number(found[1]), parent: Number(found[2]), args: found[3] ?? '' }] : []))
  const below = new Set([pid])
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const row of rows) if (below.has(row.parent)) below.add(row.pid)
  }
  const found = rows.find((row) => below.has(row.pid) && row.args.includes(script) && !row.args.includes('guard.ts'))
  if (!found) throw new Error(`Nothing runs ${script}.`)
  return found.pid
}

test.describe('indexer that does not answer', () => {
  test('behavior: clear message, and Retry works when it is back', async ({ page }) => {
    test.setTimeout(120_000)
    const indexer = processOf('apps/indexer/start.ts')
    process.kill(indexer, 'SIGSTOP')
    try {
      await page.goto(`/?address=${known}`)
      await expect(page.getByRole('heading', { name: '连不上查询服务' })).toBeVisible({ timeout: 60_000 })
    } finally {
      process.kill(indexer, 'SIGCONT')
    }
    await expect.poll(() => api.status().then(({ state }) => state)).toBe('ready')
    const retry = page.getByRole('button', { name: '重试' })
    if (await retry.isVisible()) await retry.click({ timeout: 2_000 }).catch(() => undefined)
    await expect(page.getByRole('main')).toContainText('团队与业绩')
  })
})

test.describe('kill -9', () => {
  test('behavior: the indexer comes back with the same data', async ({ page }) => {
    test.setTimeout(180_000)
    const before = await api.metrics(communityId)
    await page.goto(`/?address=${known}`)
    await expect(page.getByRole('main')).toContainText('团队与业绩')

    process.kill(processOf('apps/indexer/start.ts'), 'SIGKILL')
    await expect.poll(() => api.status().then(({ state }) => state)).not.toBe('ready')
    // What was answered stays on the page.
    await expect(page.getByRole('main')).toContainText('团队与业绩')
    await page.reload()
    await expect(page.getByRole('main')).toContainText(/正在启动|正在读取链上记录|正在整理推荐关系|团队与业绩/)

    await expect(page.getByRole('main')).toContainText('团队与业绩', { timeout: 90_000 })
    const after = await api.metrics(communityId)
    expect(after.asOf.block).toBeGreaterThanOrEqual(before.asOf.block)
    expect(after.members).toBeGreaterThanOrEqual(before.members)
    expect(after.dirty).toEqual(before.dirty)
    expect(after.series.slice(0, -1)).toEqual(before.series.slice(0, -1))
  })

  test('behavior: the server comes back, and the page with it', async ({ page, complaints }) => {
    await page.goto('/metrics')
    await expect(page.getByRole('region', { name: '成员' })).toContainText(/\d/)
    const server = processOf('apps/server/src/main.ts')
    process.kill(server, 'SIGKILL')
    await expect(() => expect(processOf('apps/server/src/main.ts')).not.toBe(server)).toPass()
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('region', { name: '成员' })).toContainText(/\d/, { timeout: 4_000 })
    }).toPass()
    // What the page asked while nobody was there was refused, and the browser says so.
    const refused = /ERR_CONNECTION_REFUSED|Failed to fetch dynamically imported module/
    const others = complaints.filter((complaint) => !refused.test(complaint))
    complaints.splice(0, complaints.length, ...others)
  })
})
