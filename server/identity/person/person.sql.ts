import type { Preferences } from '#contract/identity/preferences.ts'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import type { Language } from '#platform/language.ts'

const personReason = 'people are not tied to an organization'

/** The preferences, or their defaults. An organization that the person has left is not returned. */
export const preferencesOf = crossTenantSql<Preferences, { personId: string }>(
  personReason,
  `select v.language, coalesce(v.theme, 'system') as theme, coalesce(v.density, 'usual') as density,
     coalesce(v.single_key_shortcuts, true) as "singleKeyShortcuts", m.organization_id as "lastOrganizationId"
   from person p
   left join person_preference v on v.person_id = p.id
   left join membership m
     on m.organization_id = v.last_organization_id and m.person_id = p.id and m.removed_at is null
   where p.id = $personId`,
)

/** The language of mails that a person causes: the preferred one, or English (SGN-26, MBR-17). */
export async function mailLanguageOf(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  personId: string,
): Promise<Language> {
  return (await crossTenant.first(preferencesOf, { personId }))?.language ?? 'en'
}

export const upsertPreferences = crossTenantSql<
  never,
  {
    personId: string
    language: string | null
    theme: string
    density: string
    singleKeyShortcuts: boolean
    lastOrganizationId: string | null
  }
>(
  personReason,
  `insert into person_preference (person_id, language, theme, density, single_key_shortcuts, last_organization_id)
   values ($personId, $language, $theme, $density, $singleKeyShortcuts, $lastOrganizationId)
   on conflict (person_id) do update set language = excluded.language, theme = excluded.theme,
     density = excluded.density, single_key_shortcuts = excluded.single_key_shortcuts,
     last_organization_id = excluded.last_organization_id, updated_at = now()`,
)

/** Serializes the changes of one person. */
export const lockPerson = crossTenantSql<{ name: string }, { personId: string }>(
  personReason,
  'select name from person where id = $personId for no key update',
)

/** Also renames the person in the current organizations, and returns these. */
export const renamePerson = crossTenantSql<{ organization_id: string }, { personId: string; name: string }>(
  personReason,
  `with renamed as (
     update person set name = $name, updated_at = now() where id = $personId
   )
   update membership m set name = $name where m.person_id = $personId and m.removed_at is null
   returning m.organization_id`,
)
