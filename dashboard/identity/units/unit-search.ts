import type { UnitKind } from '#contract/identity/units.ts'

/** The state of the screen, as the address has it. */
export type UnitSearch = { kind?: UnitKind; search?: string; open?: string }
const kinds: readonly UnitKind[] = ['DEPARTMENT', 'WORKSPACE', 'GROUP']

export function unitSearchOf({ kind, search, open }: Record<string, unknown>): UnitSearch {
  return {
    ...(kinds.includes(kind as UnitKind) && { kind: kind as UnitKind }),
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(typeof open === 'string' && { open }),
  }
}
