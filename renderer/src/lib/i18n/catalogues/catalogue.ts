/** The same words in another language: the same keys, other texts. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };
