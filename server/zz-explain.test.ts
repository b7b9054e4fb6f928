import { test } from 'vitest'
import { openWorld } from '#tests/world.ts'
test('plan', async () => {
  const world = await openWorld()
  const org = await world.organization()
  const boss = await org.person({ role: 'OWNER' })
  await world.sql(`insert into person (id, name, email, email_verified) select 'p'||n, 'P'||n, 'p'||n||'@x.test', true from generate_series(1,5000) n`)
  await world.sql(`insert into membership (organization_id, person_id, role, name, email) select $1, 'p'||n, 'MEMBER', 'P'||n, 'p'||n||'@x.test' from generate_series(1,5000) n`, [org.id])
  await world.sql(`insert into application (organization_id, id, slug, name, principal_id, status) select $1, 'a'||n, 's'||n, 'A'||n, $2, 'ACTIVE' from generate_series(1,150) n`, [org.id, boss.id])
  await world.sql(`insert into audit (organization_id, seq, id, actor_id, door, ip, client, request_id, operation, changed, at, hash)
    select $1, n, 'x'||n, case when n % 2 = 0 then 'p'||(n % 5000) else 'a'||(n % 150) end, 'people','','','','POST /x','{}', now(), '' from generate_series(1,20000) n`, [org.id])
  await world.sql('analyze')
  const rows = await world.sql<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) select a.seq, actor.name from audit a left join actor_name actor on actor.organization_id = $1 and actor.id = a.actor_id where a.organization_id = $1 and a.seq < 15000 order by a.seq desc limit 21`, [org.id])
  console.log(rows.map(r => r['QUERY PLAN']).join('\n'))
  await world.close()
})
