import { plural, words } from '../../words/words.ts'

/** The texts of the dialogs that create, change and delete an application. */
export const applicationFormTexts = words({
  es: {
    createTitle: 'Nueva aplicación',
    editTitle: (name: string) => `Cambiar ${name}`,
    name: 'Nombre',
    nameHint: 'El que reconocerá tu equipo, como «Tienda web».',
    slug: 'Nombre corto',
    slugHint:
      'Letras minúsculas, cifras y guiones. Va en cada entrega. Si cambia, nadie más puede usar el anterior.',
    description: 'Descripción',
    origins: 'Orígenes de navegador',
    originsHint: (most: number) =>
      `Uno por línea, como https://app.example.com, hasta ${most}. Solo hacen falta si la clave se usa en un navegador.`,
    scopes: 'Permisos',
    scopesAbout: 'Da solo los que necesita. Puedes cambiarlos cuando quieras.',
    create: 'Crear la aplicación',
    save: 'Guardar',
    created: (name: string) => `${name} está creada. Ahora necesita una clave`,
    saved: (name: string) => `${name} está guardada`,
    principalTitle: (name: string) => `Responsable de ${name}`,
    principalAbout:
      'La aplicación actúa en su nombre: los canales que crea le dan los derechos de esta persona, que también recibe los avisos de su webhook.',
    principal: 'Persona',
    principalHint: 'Busca por nombre o correo.',
    principalMissing: 'Elige una persona.',
    principalSave: 'Cambiar responsable',
    principalSaved: (person: string, name: string) => `${person} responde ahora de ${name}`,
    becomePrincipal: 'Solo puedes ponerte a ti como responsable; un administrador puede elegir a cualquiera.',
    becomeAction: 'Ser responsable',
    removeQuestion: (name: string) => `¿Borrar ${name}?`,
    removeAbout: (keys: number) =>
      `${keys === 0 ? 'No tiene claves activas.' : `${keys} ${plural('es', keys, 'clave deja', 'claves dejan')} de funcionar al momento.`} Su webhook, sus entregas en espera y sus accesos a canales terminan. Lo que hizo se conserva. No se puede deshacer.`,
    removeAction: (name: string) => `Borrar ${name}`,
    removed: (name: string) => `${name} está borrada`,
    disableQuestion: (name: string) => `¿Desactivar ${name}?`,
    disableAbout:
      'Sus claves se rechazan y no se le envía nada hasta que la actives. No pierde claves, permisos ni webhook.',
    disableAction: 'Desactivar',
    disabled: (name: string) => `${name} está desactivada`,
    enabled: (name: string) => `${name} está activa`,
  },
  en: {
    createTitle: 'New application',
    editTitle: (name: string) => `Change ${name}`,
    name: 'Name',
    nameHint: 'One that your team recognizes, like “Web shop”.',
    slug: 'Short name',
    slugHint:
      'Lower-case letters, digits and hyphens. It is in every delivery. If it changes, nobody else can use the former one.',
    description: 'Description',
    origins: 'Browser origins',
    originsHint: (most: number) =>
      `One per line, like https://app.example.com, up to ${most}. Needed only if a browser uses the key.`,
    scopes: 'Scopes',
    scopesAbout: 'Grant only those that it needs. You can change them at any time.',
    create: 'Create the application',
    save: 'Save',
    created: (name: string) => `${name} is created. Now it needs a key`,
    saved: (name: string) => `${name} is saved`,
    principalTitle: (name: string) => `Principal of ${name}`,
    principalAbout:
      'The application acts on their behalf: in channels that it creates it has at most the rights of this person, who also receives the mails about its webhook.',
    principal: 'Person',
    principalHint: 'Search by name or e-mail.',
    principalMissing: 'Choose a person.',
    principalSave: 'Change the principal',
    principalSaved: (person: string, name: string) => `${person} is now the principal of ${name}`,
    becomePrincipal: 'You can only name yourself as the principal; an administrator can choose anybody.',
    becomeAction: 'Become the principal',
    removeQuestion: (name: string) => `Delete ${name}?`,
    removeAbout: (keys: number) =>
      `${keys === 0 ? 'It has no active keys.' : `${keys} ${plural('en', keys, 'key stops', 'keys stop')} working at once.`} Its webhook, its waiting deliveries and its access to channels end. The records of what it did remain. This cannot be undone.`,
    removeAction: (name: string) => `Delete ${name}`,
    removed: (name: string) => `${name} is deleted`,
    disableQuestion: (name: string) => `Disable ${name}?`,
    disableAbout:
      'Its keys are refused and nothing is sent to it until you enable it. It loses no keys, scopes or webhook.',
    disableAction: 'Disable',
    disabled: (name: string) => `${name} is disabled`,
    enabled: (name: string) => `${name} is active`,
  },
})
