import { words } from '../words/words.ts'

export const boardTexts = words({
  es: {
    column: 'Columna',
    none: 'Nada aquí',
    reading: 'Leyendo',
    moveTo: 'Mover a…',
    move: (card: string) => `Mover ${card}`,
    drag: (card: string) => `Arrastrar ${card}`,
    moved: (card: string, column: string) => `${card} está ahora en ${column}.`,
    refused: (card: string, reason: string) => `${card} sigue donde estaba. ${reason}`,
  },
  en: {
    column: 'Column',
    none: 'Nothing here',
    reading: 'Reading',
    moveTo: 'Move to…',
    move: (card: string) => `Move ${card}`,
    drag: (card: string) => `Drag ${card}`,
    moved: (card: string, column: string) => `${card} is now in ${column}.`,
    refused: (card: string, reason: string) => `${card} stays where it was. ${reason}`,
  },
})
