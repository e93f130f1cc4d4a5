import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { api, communityId, expect, test, visit } from './product.ts'
import { stackUrl } from './stack.ts'

type Answer = { link: string; asOf: { block: number } } & Record<string, unknown>

/** Connects an MCP client to the product's tools. `mode` chooses the revision of the protocol. */
async function connect(mode: 'legacy' | 'auto') {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stackUrl}/mcp`)))
  return {
    async ask(name: string, given: Record<string, unknown>): Promise<Answer> {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const [first] = content as { text: string }[]
      expect(isError ?? false, first?.text).toBe(false)
      return JSON.parse(first?.text ?? '') as Answer
    },
    close: () => client.close(),
  }
}

for (const mode of ['legacy', 'auto'] as const)
  test(`behavior: an agent learns who referred a member, how its team grew and how two are related (${mode})`, async ({
    page,
  }) => {
    const { leaders } = await api.metrics(communityId)
    const [leader] = leaders.team
    if (!leader) throw new Error('The demo has no leader.')
    const { items } = await api.referrals(communityId, leader.address, { level: 2, sort: 'team' })
    const [below] = items
    if (!below) throw new Error('The leader has no downline.')
    const { ask, close } = await connect(mode)

    const communities = await ask('communities', {})
    expect((communities.items as { id: string }[]).map(({ id }) => id)).toContain(communityId)
    const place = { community: communityId, address: below.address }
    const card = await ask('member', place)
    expect(card).toMatchObject({
      address: below.address,
      referrer: below.referrer,
      asOf: { block: expect.any(Number) },
    })
    const upline = await ask('referrers', place)
    expect((upline.items as { address: string }[])[0]?.address).toBe(below.referrer)
    const team = { ...place, address: leader.address }
    const growth = await ask('growth', { ...team, interval: 'month' })
    const size = (await ask('member', team)).team
    expect(size).toBeGreaterThanOrEqual(leader.team)
    expect((growth.items as { total: number }[]).at(-1)?.total).toBeGreaterThanOrEqual(leader.team)
    const relation = await ask('relation', { community: communityId, a: leader.address, b: below.address })
    expect(relation).toMatchObject({ relation: 'above', common: leader.address, stepsA: 0, stepsB: 2 })
    await close()

    await visit(page, relation.link)
    await expect(page.getByRole('main')).toContainText(below.address.slice(-4))
    await visit(page, card.link)
    await expect(page.getByRole('main')).toContainText('团队与业绩')
  })
