import { plural, words } from '../../words/words.ts'

/** The forms that create and edit a lead. */
export const leadFormTexts = words({
  es: {
    createTitle: 'Nuevo lead',
    editTitle: (name: string) => `Editar ${name}`,
    reach: 'Hace falta un correo o un teléfono.',
    none: 'Ninguna',
    create: 'Crear el lead',
    save: 'Guardar el lead',
    created: (name: string) => `${name} es un lead nuevo.`,
    saved: (name: string) => `${name} está guardado.`,
    restored: 'Aquí está lo que escribiste y no guardaste.',
    discard: 'Descartarlo',
    exists: (name: string, count: number) =>
      plural(
        'es',
        count,
        `${name} ya tiene este correo.`,
        `${count} leads abiertos ya tienen este correo; el último es ${name}.`,
      ),
    existing: 'Abrir ese lead',
    duplicates: (count: number) =>
      plural(
        'es',
        count,
        'Otro lead tiene su correo o teléfono.',
        `${count} leads tienen su correo o teléfono.`,
      ),
    conflict: 'Otra persona ha guardado este lead mientras lo editabas',
    takenOver: 'Su cambio está ya en el formulario:',
    both: 'Los dos habéis cambiado lo mismo. Elige qué se guarda:',
    mine: 'Tuyo',
    theirs: 'Suyo',
    take: (field: string) => `Tomar su valor de ${field.toLowerCase()}`,
    empty: 'vacío',
    saveAgain: 'Revisa los valores y guarda otra vez.',
  },
  en: {
    createTitle: 'New lead',
    editTitle: (name: string) => `Edit ${name}`,
    reach: 'An e-mail or a phone number is needed.',
    none: 'None',
    create: 'Create lead',
    save: 'Save lead',
    created: (name: string) => `${name} is a new lead.`,
    saved: (name: string) => `${name} is saved.`,
    restored: 'Here is what you typed and did not save.',
    discard: 'Discard it',
    exists: (name: string, count: number) =>
      plural(
        'en',
        count,
        `${name} has this e-mail already.`,
        `${count} open leads have this e-mail already; the latest is ${name}.`,
      ),
    existing: 'Open that lead',
    duplicates: (count: number) =>
      plural(
        'en',
        count,
        'Another lead has its e-mail or phone.',
        `${count} leads have its e-mail or phone.`,
      ),
    conflict: 'Somebody else saved this lead while you edited it',
    takenOver: 'Their change is in the form already:',
    both: 'You both changed the same. Choose what is saved:',
    mine: 'Yours',
    theirs: 'Theirs',
    take: (field: string) => `Take their ${field.toLowerCase()}`,
    empty: 'empty',
    saveAgain: 'Check the values and save again.',
  },
})
