/** Lookups in plain recursive SQL on an indexed table of members; `subject` is the member's address. */
const below = (subject: string) => `with recursive below (address, level) as (
  select address, 1 from member where referrer = '${subject}'
  union all select member.address, level + 1 from below join member on member.referrer = below.address
)`
const above = (subject: string) => `with recursive above (address, referrer, distance) as (
  select address, referrer, 0 from member where address = '${subject}'
  union all select member.address, member.referrer, distance + 1 from above join member on member.address = above.referrer
)`
const team = `(with recursive team (address) as (
  select one.address from member one where one.referrer = member.address
  union all select next.address from team join member next on next.referrer = team.address
) select count(*) from team)`

export const recursive = {
  member: (subject: string) =>
    `${below(subject)} select count(*), max(level), sum(volume), (${above(subject)} select max(distance) from above)
     from below join member using (address)`,
  referrers: (subject: string) =>
    `${above(subject)} select * from above join member using (address) order by distance limit 50`,
  levels: (subject: string) =>
    `${below(subject)} select level, count(*), sum(volume) from below join member using (address) group by level order by level`,
  growth: (subject: string) =>
    `${below(subject)} select timestamp / 86400 as day, count(*) from below join member using (address) group by day order by day`,
  joined: (subject: string, level: string) =>
    `${below(subject)} select * from below join member using (address) where ${level} order by block, log_index limit 50`,
  volume: (subject: string, level: string) =>
    `${below(subject)} select * from below join member using (address) where ${level} order by volume desc limit 50`,
  team: (subject: string, level: string) =>
    `${below(subject)} select member.*, ${team} as team from below join member using (address) where ${level}
     order by team desc limit 50`,
  search: (prefix: string) => `select * from member where address like '${prefix}%' order by address limit 50`,
  metrics: () => `with recursive below (address, depth) as (
      select address, 0 from member where referrer = '0x${'0'.repeat(40)}'
      union all select member.address, depth + 1 from below join member on member.referrer = below.address
    ), directs as (select referrer, count(*) as count from member group by referrer)
    select (select count(*) from member), (select sum(volume) from member),
      (select json_agg(levels) from (select depth, count(*) from below group by depth) levels),
      (select json_agg(most) from (select * from directs order by count desc limit 10) most),
      (select json_agg(days) from (select timestamp / 86400 as day, count(*) from member group by 1) days)`,
  events: () =>
    'select * from lineage_1.event where source = 1 and kind = 0 order by block desc, log_index desc limit 50',
}
