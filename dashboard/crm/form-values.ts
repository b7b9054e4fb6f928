type FormValues = Readonly<Record<string, string>>

/** The fields of a form that are filled, as the body of a creation. */
export function filledFields<Name extends string>(
  values: FormValues,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const filled = names.map(name => [name, (values[name] ?? '').trim()]).filter(([, value]) => value !== '')
  return Object.fromEntries(filled) as Partial<Record<Name, string>>
}

/** The fields of a form that differ from the current ones, as the body of an update: an emptied field is null. */
export function changedFields<Name extends string>(
  values: FormValues,
  current: Readonly<Record<Name, string | null>>,
  names: readonly Name[],
): Partial<Record<Name, string | null>> {
  const changed = names
    .map(name => [name, (values[name] ?? '').trim() || null] as const)
    .filter(([name, value]) => value !== current[name])
  return Object.fromEntries(changed) as Partial<Record<Name, string | null>>
}
