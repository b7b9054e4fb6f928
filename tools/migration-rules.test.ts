import { expect, test } from 'vitest'
import { dangers, type Migration, productMigrations, split } from './migration-rules.ts'

const migrations = productMigrations()

test('every migration has a unique number', () => {
  const numbers = migrations.map(({ name }) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
  expect(numbers).toEqual(migrations.map((_, index) => String(index + 1).padStart(4, '0')))
})

test('no migration blocks a running server', () => {
  expect(dangers(migrations)).toEqual([])
})

// the check itself: what it must find in a second migration, and what it must accept
const first: Migration = {
  name: '0001-first.sql',
  text: 'create table old (organization_id text not null, id text not null, note text);',
}
const second = (text: string) => dangers([first, { name: '0002-second.sql', text }])

test.each([
  'create index old_note on old (note)',
  'CREATE UNIQUE INDEX old_note ON old USING btree (note)',
  'drop index old_note',
  'reindex table old',
  'vacuum full old',
  'lock table old',
  'truncate old',
  `update old set note = ''`,
  'delete from old where note is null',
  'drop table old',
  'alter table old drop column note',
  'alter table old drop constraint old_pkey',
  'alter table old alter column note drop default',
  'do $$ begin drop table old; end $$',
  '-- contract: short\ndrop table old',
  '-- contract: nobody reads it since 0.2.0\nselect 1; drop table old',
  'alter table old rename column note to remark',
  'alter table old rename to older',
  'alter table old alter column note type varchar(3)',
  'alter table old alter note set data type int',
  'alter table old alter column note set not null',
  'alter table old set unlogged',
  'alter table old add column at timestamptz default clock_timestamp()',
  'alter table old add column key uuid not null default gen_random_uuid()',
  'alter table old add column n bigint generated always as identity',
  'alter table old add column upper text generated always as (upper(note)) stored',
  'alter table old add column note_id text references old (id)',
  'alter table old add column n integer not null',
  'alter table old add column m integer, add column n integer not null, add column o integer',
  'alter table old add constraint short check (length(note) < 9)',
  'alter table old add foreign key (organization_id) references organization (id)',
  'alter table old add primary key (organization_id, id)',
  'alter table old add constraint one unique (organization_id, note)',
  'create trigger t after insert on old for each row execute function f()',
  `create table new (id text); -- the other one\ncreate /* plain */ index on old (note)`,
  `insert into new values ('; create index concurrently'); create index a on old (note)`,
  'create index concurrently old_note on old (note)',
  '-- outside a transaction\ncreate index concurrently old_note on old (note)',
  '-- outside a transaction\ndrop index concurrently old_note',
  '-- outside a transaction\nalter table old add column n integer',
  `-- outside a transaction\ncreate index concurrently if not exists a on old (note);\ncreate table new (id text)`,
  `-- outside a transaction\ncreate index concurrently if not exists a on old (note) where note <> ';\n'`,
  '-- outside a transaction\ndrop index concurrently if exists a; drop index concurrently if exists b',
])('a migration may not: %s', text => {
  expect(second(text)).toHaveLength(1)
})

test.each([
  'create table new (id text primary key); create index new_id on new (id); insert into new values (1)',
  `create table new (id text); update new set id = ''; alter table new alter column id set not null`,
  '-- outside a transaction\ncreate index concurrently if not exists old_note on old (note)',
  '-- outside a transaction\ncreate unique index concurrently if not exists a on old (note);\ndrop index concurrently if exists b;\n',
  'alter table old add column n integer',
  'alter table old add column n integer not null default 0',
  'alter table old add column at timestamptz(3) not null default now()',
  'alter table old add constraint short check (length(note) < 9) not valid',
  'alter table old validate constraint short',
  'alter table old add constraint one unique using index old_one',
  '-- contract: nobody reads it since 0.2.0\ndrop table old',
  `-- contract: 0.2.0 was the last to write it; it is dropped\nalter table old drop column note; select 1`,
  `-- drop table old;\nselect 'drop table old; truncate old'`,
  'create function f() returns text language sql as $body$ drop table old; $body$',
])('a migration may: %s', text => {
  expect(second(text)).toEqual([])
})

test('NOT NULL needs a check that an earlier migration validated', () => {
  const check = 'alter table old add constraint there check (note is not null) not valid;'
  const proof = 'alter table old validate constraint there;'
  const set = 'alter table old alter column note set not null;'
  const chain = (...texts: string[]) =>
    dangers([first, ...texts.map((text, index) => ({ name: `000${index + 2}-x.sql`, text }))])
  expect(chain(check, proof, set)).toEqual([])
  expect(chain(check + proof, set)).toEqual([])
  expect(chain(check, set)).toHaveLength(1)
  expect(chain(check + proof + set)).toHaveLength(1)
})

test('statements are split correctly with quotes and comments', () => {
  expect(split('-- contract: nobody uses it\nselect 1 -- contract: nobody uses it')).toEqual([
    '-- contract: nobody uses it',
    'select 1',
  ])
  expect(split(`select ';' as a; -- no; \n select 1 - 2 / 3 /* ; */ ; select $x$ ; $x$ , "A;b"`)).toEqual([
    `select ';' as a`,
    'select 1 - 2 / 3',
    'select $x$ ; $x$ , "A;b"',
  ])
})
