import { words } from '../words/words.ts'

/** The names of the panels of a channel. */
export const panelTexts = words({
  es: { members: 'Miembros', applications: 'Aplicaciones', agents: 'Agentes', settings: 'Ajustes' },
  en: { members: 'Members', applications: 'Applications', agents: 'Agents', settings: 'Settings' },
})
