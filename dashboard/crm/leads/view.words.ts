import { words } from '../../words/words.ts'

/** The views of leads that the product has. */
export const viewTexts = words({
  es: { all: 'Todos', mine: 'Míos', unassigned: 'Sin responsable', hot: 'Calientes' },
  en: { all: 'All', mine: 'Mine', unassigned: 'Unassigned', hot: 'Hot' },
})
