import type { UnitKind } from '#contract/identity/units.ts'
import { type Language, plural, words } from '../../words/words.ts'

type KindTexts = {
  /** The tab. */
  many: string
  createTitle: string
  question: (name: string) => string
  lostAccess: string
  about: string
}

/** The texts that differ by the kind of unit. */
export const kindTexts: Readonly<Record<Language, Readonly<Record<UnitKind, KindTexts>>>> = {
  es: {
    DEPARTMENT: {
      many: 'Departamentos',
      createTitle: 'Nuevo departamento',
      question: name => `¿Borrar el departamento ${name}?`,
      lostAccess: 'el acceso a los recursos compartidos con este departamento o visibles para él',
      about: 'Los recursos pueden compartirse con un departamento, o ser visibles solo para algunos.',
    },
    WORKSPACE: {
      many: 'Espacios de trabajo',
      createTitle: 'Nuevo espacio',
      question: name => `¿Borrar el espacio ${name}?`,
      lostAccess: 'el acceso a los recursos visibles solo para quienes comparten este espacio con su autor',
      about:
        'Quienes comparten un espacio con el autor ven sus recursos de visibilidad «espacio de trabajo».',
    },
    GROUP: {
      many: 'Grupos',
      createTitle: 'Nuevo grupo',
      question: name => `¿Borrar el grupo ${name}?`,
      lostAccess: 'el acceso a los recursos compartidos con este grupo',
      about: 'Los recursos pueden compartirse con un grupo, aunque sea de varios departamentos.',
    },
  },
  en: {
    DEPARTMENT: {
      many: 'Departments',
      createTitle: 'New department',
      question: name => `Delete the department ${name}?`,
      lostAccess: 'access to the assets that are shared with this department or visible to it',
      about: 'Assets can be shared with a department, or be visible only to some departments.',
    },
    WORKSPACE: {
      many: 'Workspaces',
      createTitle: 'New workspace',
      question: name => `Delete the workspace ${name}?`,
      lostAccess:
        'access to the assets that are visible only to people who share this workspace with the author',
      about: 'People who share a workspace with an author see their assets with the visibility “workspace”.',
    },
    GROUP: {
      many: 'Groups',
      createTitle: 'New group',
      question: name => `Delete the group ${name}?`,
      lostAccess: 'access to the assets that are shared with this group',
      about: 'Assets can be shared with a group, also across departments.',
    },
  },
}

export const unitTexts = words({
  es: {
    title: 'Unidades',
    name: 'Nombre',
    created: 'Creada',
    search: 'Buscar por nombre',
    none: 'Aún no hay ninguna',
    nothing: 'Nada encaja con la búsqueda',
    clear: 'Quitar la búsqueda',
    rename: 'Cambiar el nombre…',
    remove: 'Borrar…',
    renameTitle: (name: string) => `Nombre de ${name}`,
    create: 'Crear',
    save: 'Guardar',
    createdToast: (name: string) => `${name} creada. Añade a sus miembros.`,
    renamed: (name: string) => `Ahora se llama ${name}.`,
    removed: (name: string) => `${name} borrada.`,
    lose: (count: number) =>
      `${count} ${plural('es', count, 'persona pierde', 'personas pierden')} en dos segundos`,
    nobodyLoses: 'No tiene miembros: nadie pierde el acceso a nada.',
    counting: 'Comprobando quién pierde el acceso',
    removeAction: 'Borrar',
    actions: 'Acciones',
    members: 'Miembros',
    memberCount: (count: number) => `${count} ${plural('es', count, 'miembro', 'miembros')}`,
    noMembers: 'Aún no tiene miembros.',
    add: 'Añadir miembro',
    addHint: 'Escribe un nombre o un correo, y elige.',
    added: (person: string, unit: string) => `${person} está ahora en ${unit}.`,
    takeOut: (person: string) => `Quitar a ${person}`,
    takenOut: (person: string, unit: string) => `${person} ya no está en ${unit}.`,
    undo: 'Deshacer',
    reading: 'Leyendo los miembros',
  },
  en: {
    title: 'Units',
    name: 'Name',
    created: 'Created',
    search: 'Search by name',
    none: 'There are none yet',
    nothing: 'Nothing fits the search',
    clear: 'Clear the search',
    rename: 'Rename…',
    remove: 'Delete…',
    renameTitle: (name: string) => `Name of ${name}`,
    create: 'Create',
    save: 'Save',
    createdToast: (name: string) => `${name} created. Add its members.`,
    renamed: (name: string) => `It is now called ${name}.`,
    removed: (name: string) => `${name} deleted.`,
    lose: (count: number) =>
      `Within two seconds, ${count} ${plural('en', count, 'person loses', 'people lose')}`,
    nobodyLoses: 'It has no members, so nobody loses access.',
    counting: 'Checking who loses access',
    removeAction: 'Delete',
    actions: 'Actions',
    members: 'Members',
    memberCount: (count: number) => `${count} ${plural('en', count, 'member', 'members')}`,
    noMembers: 'It has no members yet.',
    add: 'Add a member',
    addHint: 'Type a name or an e-mail address, and choose.',
    added: (person: string, unit: string) => `${person} is now in ${unit}.`,
    takeOut: (person: string) => `Remove ${person}`,
    takenOut: (person: string, unit: string) => `${person} is no longer in ${unit}.`,
    undo: 'Undo',
    reading: 'Reading the members',
  },
})
