import { plural, words } from '../words/words.ts'

export const gridTexts = words({
  es: {
    selectAll: 'Seleccionar todas las filas cargadas',
    selectAllShort: 'Seleccionar todas',
    selection: 'Selección',
    sortedBy: (title: string, direction: 'ascending' | 'descending') =>
      `${title}, ${direction === 'ascending' ? 'ascendente' : 'descendente'}`,
    sort: 'Ordenar',
    select: (name: string) => `Seleccionar ${name}`,
    actions: 'Acciones',
    actionsOf: (name: string) => `Acciones de ${name}`,
    newRows: (count: number) => plural('es', count, '1 fila nueva', `${count} filas nuevas`),
    show: 'mostrar',
    loading: 'Cargando',
    loadMore: 'Cargar más',
  },
  en: {
    selectAll: 'Select all loaded rows',
    selectAllShort: 'Select all',
    selection: 'Selection',
    sortedBy: (title: string, direction: 'ascending' | 'descending') => `${title}, ${direction}`,
    sort: 'Sort',
    select: (name: string) => `Select ${name}`,
    actions: 'Actions',
    actionsOf: (name: string) => `Actions of ${name}`,
    newRows: (count: number) => `${count} new`,
    show: 'show',
    loading: 'Loading',
    loadMore: 'Load more',
  },
})
