package dev.ebb.domain.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Holds edge and section of a tree against the definitions of RFC 9162, section 2.1, written down as they stand there. */
class MerkleTreeTest {

    private static final int BIGGEST = 130;

    /** Leaves and roots with which implementations of certificate transparency test themselves. */
    private static final List<String> LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");

    private static final List<String> ROOTS = List.of(
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    @Test
    void shouldHaveTheRootsThatOthersHave() {
        RightEdge edge = RightEdge.EMPTY;
        for (int i = 0; i < LEAVES.size(); i++) {
            edge = edge.with(Hash.ofLeaf(HexFormat.of().parseHex(LEAVES.get(i))));
            assertThat(HexFormat.of().formatHex(edge.root().bytes())).isEqualTo(ROOTS.get(i));
        }
        assertThat(HexFormat.of().formatHex(RightEdge.EMPTY.root().bytes()))
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void shouldHaveTheRootOfTheDefinitionAtEverySize() {
        List<Hash> leaves = leaves(BIGGEST);
        RightEdge edge = RightEdge.EMPTY;
        for (int size = 0; size <= BIGGEST; size++) {
            assertThat(edge.root()).isEqualTo(root(leaves.subList(0, size)));
            assertThat(RightEdge.parse(edge.toString())).isEqualTo(edge);
            if (size < BIGGEST) {
                edge = edge.with(leaves.get(size));
            }
        }
    }

    @Test
    void shouldProveEveryLeafBehindEveryLeftEdge() {
        List<Hash> leaves = leaves(BIGGEST);
        RightEdge left = RightEdge.EMPTY;
        for (int from = 0; from < BIGGEST; from++) {
            for (int size : List.of(from + 1, Math.min(BIGGEST, from + 7), BIGGEST)) {
                requireProofs(left, leaves.subList(0, size));
            }
            left = left.with(leaves.get(from));
        }
    }

    private static void requireProofs(RightEdge left, List<Hash> leaves) {
        int from = Math.toIntExact(left.size());
        TreeSection section = new TreeSection(left, leaves.subList(from, leaves.size()));
        assertThat(section.root()).isEqualTo(root(leaves));
        for (int index = from; index < leaves.size(); index++) {
            assertThat(section.inclusionProof(index)).isEqualTo(path(index, leaves));
        }
    }

    @Test
    void shouldProveNoLeafInFrontOfTheLeftEdge() {
        List<Hash> leaves = leaves(4);
        RightEdge left = RightEdge.EMPTY.with(leaves.get(0)).with(leaves.get(1));
        TreeSection section = new TreeSection(left, leaves.subList(2, 4));

        assertThatThrownBy(() -> section.inclusionProof(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHaveTheRootOfItsEdgeWithoutFurtherLeaves() {
        assertThat(new TreeSection(RightEdge.EMPTY, List.of()).root()).isEqualTo(Hash.OF_NOTHING);
    }

    @Test
    void shouldRefuseAnEdgeOfAnotherSize() {
        assertThatThrownBy(() -> RightEdge.parse("3 " + Hash.OF_NOTHING)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RightEdge.parse("1 AAAA")).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Hash> leaves(int count) {
        Random random = new Random(9162);
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    byte[] data = new byte[random.nextInt(40)];
                    random.nextBytes(data);
                    return Hash.ofLeaf(data);
                })
                .toList();
    }

    /** MTH(D[n]). */
    private static Hash root(List<Hash> leaves) {
        if (leaves.isEmpty()) {
            return Hash.OF_NOTHING;
        }
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int k = split(leaves.size());
        return Hash.ofNode(root(leaves.subList(0, k)), root(leaves.subList(k, leaves.size())));
    }

    /** PATH(m, D[n]). */
    private static List<Hash> path(int m, List<Hash> leaves) {
        List<Hash> path = new ArrayList<>();
        if (leaves.size() > 1) {
            int k = split(leaves.size());
            List<Hash> left = leaves.subList(0, k);
            List<Hash> right = leaves.subList(k, leaves.size());
            path.addAll(m < k ? path(m, left) : path(m - k, right));
            path.add(root(m < k ? right : left));
        }
        return path;
    }

    /** The largest power of two smaller than n. */
    private static int split(int n) {
        int k = 1;
        while (2 * k < n) {
            k *= 2;
        }
        return k;
    }
}
