import { words } from '../words/words.ts'

/** The built-in roles, as people know them. */
export const roleTexts = words({
  es: { OWNER: 'Propietario', ADMIN: 'Administrador', MEMBER: 'Miembro', CUSTOM: 'Personalizado' },
  en: { OWNER: 'Owner', ADMIN: 'Administrator', MEMBER: 'Member', CUSTOM: 'Custom' },
})
