const ID = /^(?!__.*__$)[A-Za-z0-9_-]{1,64}$/;

/**
 * Whether a string can be the id of a game, a ballot or a visitor: 1 to 64 of A-Z a-z 0-9 _ -,
 * and not `__…__`, which Firestore reserves. Everything else is refused before a store sees it.
 */
export function isId(value: string): boolean {
  return ID.test(value);
}
