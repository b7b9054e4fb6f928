import { expect, test } from 'vitest'
import { assertTenantTied } from './guard.ts'
import { crossTenantSql } from './statement.ts'

const tenantTables = new Set(['asset', 'asset_version', 'outbox'])
const check = (text: string) => () => assertTenantTied({ text }, tenantTables)

test.each([
  'select a.id from asset a where a.organization_id = $1 and a.id = $2',
  'select id from asset where organization_id = $1',
  'select a.id from asset as a join asset_version v on v.organization_id = $1 and v.asset_id = a.id where a.organization_id = $1',
  'update asset set name = $3 where organization_id = $1 and id = $2',
  'update asset a set name = $3 where a.organization_id = $1 and a.id = $2',
  'delete from asset a using asset_version v where a.organization_id = $1 and v.organization_id = $1',
  'insert into asset (organization_id, id) values ($1, $2)',
  'insert into asset (organization_id, id) select $1, x.id from unnest($2::text[]) as x (id)',
  'with old as (select a.organization_id, a.id from asset a where a.organization_id = $1) insert into asset_version (organization_id, asset_id) select old.organization_id, old.id from old',
  'select p.id from person p where p.id = $2',
  'select 1 from asset join asset_version v on v.organization_id = $1 where asset.organization_id = $1',
  'select a.id from asset a, unnest($2::text[]) x (id) where a.organization_id = $1 and a.id = x.id',
  'select a.id from asset a, asset_version v where a.organization_id = $1 and v.organization_id = $1',
])('allows statements that are tied to the organization: %s', text => {
  expect(check(text)).not.toThrow()
})

test.each([
  'select a.id from asset a where a.id = $2',
  'select id from asset where id = $2',
  'select id from asset where organization_id = $2',
  'select a.id from asset a where a.organization_id = $10',
  'select a.id from asset a join asset_version v on v.asset_id = a.id where a.organization_id = $1',
  'select a.id from asset a, lateral (select 1 from asset_version where asset_id = a.id) x where a.organization_id = $1',
  'select a.id from asset a, asset_version v where a.organization_id = $1 and v.asset_id = a.id',
  'select a.id from asset a where a.organization_id = $1 or a.name = $2',
  'select a.id from asset a, asset_version as v where a.organization_id = $1 and v.asset_id = a.id',
  'select 1 from asset join asset_version on asset_version.asset_id = asset.id where asset.organization_id = $1',
  'select 1 from person join asset v on v.id = person.id',
  'delete from asset using asset_version v where asset.organization_id = $1 and v.asset_id = asset.id',
  'update asset set name = $2 where id = $1',
  'delete from asset',
  'insert into asset (id, organization_id) values ($2, $1)',
  'insert into asset (organization_id, id) values ($2, $3)',
  'insert into asset (organization_id, id) select $2, $3',
  'with gone as (delete from asset where id = $2 returning id) select id from gone',
])('refuses others: %s', text => {
  expect(check(text)).toThrow('Tenant guard')
})

test('a statement with a reason may read several organizations', () => {
  expect(() =>
    assertTenantTied(crossTenantSql('the relay empties every outbox', 'delete from outbox'), tenantTables),
  ).not.toThrow()
})
