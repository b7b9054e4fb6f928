import { words } from '../../words/words.ts'

export const operatorTexts = words({
  es: {
    title: 'Operadores',
    name: 'Nombre',
    email: 'Correo',
    since: 'Desde',
    state: 'Estado',
    active: 'Activo',
    locked: 'Cuenta bloqueada',
    you: 'tú',
    remove: 'Quitar…',
    removeAction: 'Quitar',
    notYourself: 'No puedes quitarte a ti: así queda siempre alguien.',
    empty: 'No hay operadores.',
    addTitle: 'Añadir operador',
    addAction: 'Añadir',
    addAbout:
      'La persona necesita una cuenta. Entra en la organización de los operadores con todos los permisos, y puede hacer aquí lo mismo que tú.',
    emailHint: 'El correo exacto de su cuenta.',
    added: (name: string) => `${name} opera el servidor.`,
    removeTitle: (name: string) => `¿Quitar a ${name}?`,
    removeAbout:
      'Deja de operar el servidor en unos dos segundos. Sigue perteneciendo a la organización de los operadores.',
    removed: (name: string) => `${name} ya no opera el servidor.`,
  },
  en: {
    title: 'Operators',
    name: 'Name',
    email: 'E-mail',
    since: 'Since',
    state: 'State',
    active: 'Active',
    locked: 'Account locked',
    you: 'you',
    remove: 'Remove…',
    removeAction: 'Remove',
    notYourself: 'You cannot remove yourself: so there is always somebody.',
    empty: 'There are no operators.',
    addTitle: 'Add operator',
    addAction: 'Add',
    addAbout:
      'The person needs an account. They join the organization of the operators with every permission, and can do here what you can.',
    emailHint: 'The exact address of their account.',
    added: (name: string) => `${name} operates the server.`,
    removeTitle: (name: string) => `Remove ${name}?`,
    removeAbout:
      'They stop operating the server within about two seconds. They stay a member of the organization of the operators.',
    removed: (name: string) => `${name} no longer operates the server.`,
  },
})
